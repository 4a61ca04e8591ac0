sum（３#d6）

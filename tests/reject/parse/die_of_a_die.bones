dd6

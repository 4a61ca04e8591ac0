3d6kh2

let größe=2 in 1

4dF

dF

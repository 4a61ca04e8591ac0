d%

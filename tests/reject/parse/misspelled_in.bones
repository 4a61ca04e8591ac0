let x=d6 im x

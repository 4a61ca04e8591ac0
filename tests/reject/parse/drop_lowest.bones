4d6dl1+2

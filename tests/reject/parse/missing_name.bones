let =3 in 3

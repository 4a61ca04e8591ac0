// 3d6 where every six is rolled again and added.
sum(while x=3#d6 do ((count ==6 x)#d6))

# What sections 5 and 6 say in words.

table_text_5_1 <- table_of_statements
table_text_5_2 <- table_of_statements
table_text_5_3 <- table_of_statements
table_text_5_4 <- table_of_statements
table_text_6 <- table_of_statements

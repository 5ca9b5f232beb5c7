-- New words reach the index of their letters together, when the job ends its batch: one by one, each of the twenty to
-- thirty runs of letters of each word would change a list of its own.
alter index search_words_grams set (fastupdate = on);

-- A search for a word with a typo looks at a hundred words or two by each of these. All that it needs of them is in the
-- index now, which takes half as long as reading each row.
drop index search_words_length;
drop index search_words_reversed;
create index search_words_length on search_words (char_length(word), word) include (id);
create index search_words_reversed on search_words (char_length(word), reverse(word)) include (word, id);

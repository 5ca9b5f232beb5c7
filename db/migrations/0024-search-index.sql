-- Search gets an inverted index: a dictionary of the distinct words, and for each word the messages it stands in,
-- in blocks of ids, so that a search reads the newest blocks first and stops when its page is full. The job that
-- keeps it up fills it from the start; until then searches look through what it lacks.
drop trigger messages_search_text on messages;
drop function update_search_text();
drop table search_texts;

-- Words in lower case, at most 80 letters: longer runs are kept in overlapping pieces.
create table search_words (
  id bigint primary key generated always as identity,
  word text collate "C" not null unique
);

-- All runs of one, two and three letters of a word.
create function search_grams(word text) returns text[] language sql immutable strict parallel safe as $$
  select array_agg(distinct substr(word, start, length))
  from generate_series(1, char_length(word)) start, generate_series(1, 3) length
  where start + length <= char_length(word) + 1
$$;

-- Leads to the words that contain some letters.
create index search_words_grams on search_words using gin (search_grams(word)) with (fastupdate = off);
-- Lead to the words that differ in one letter of their later and of their first half.
create index search_words_length on search_words (char_length(word), word);
create index search_words_reversed on search_words (char_length(word), reverse(word));

-- Which messages a term is in. A term is a word's id, a character or a pair of them that no word holds, or,
-- below zero, a channel, a conversation or a sender. A block has 16,384 ids; `offsets` are the ids within it: two
-- bytes each, or one bit for each id of the block where that is shorter.
create table search_postings (
  term bigint not null,
  block integer not null,
  offsets bytea not null,
  primary key (term, block)
) with (toast_tuple_target = 8160);
-- At most 2,048 bytes, which compressing would only slow down.
alter table search_postings alter column offsets set storage plain;

-- How far the index goes: messages with later ids are searched without it.
create table search_index (
  only_row boolean primary key default true check (only_row),
  through_id bigint not null
);
insert into search_index (through_id) values (0);

-- Messages that changed, as they were. A row is only ever added or removed, so no change waits for the job.
create table search_changes (
  key bigint primary key generated always as identity,
  message_id bigint not null,
  text text not null,
  channel_id integer,
  conversation_id integer,
  sender_id integer not null,
  is_removed boolean not null
);
create index search_changes_message on search_changes (message_id) where not is_removed;

create function note_search_change() returns trigger language plpgsql as $$
begin
  insert into search_changes (message_id, text, channel_id, conversation_id, sender_id, is_removed)
  values (old.id, old.topic || ' ' || old.content, old.channel_id, old.conversation_id, old.sender_id, tg_op = 'DELETE');
  return null;
end $$;
create trigger messages_search_update after update of topic, content, channel_id on messages for each row
  when ((old.topic, old.content, old.channel_id) is distinct from (new.topic, new.content, new.channel_id))
  execute function note_search_change();
create trigger messages_search_delete after delete on messages for each row execute function note_search_change();

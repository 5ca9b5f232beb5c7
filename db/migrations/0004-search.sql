-- Search finds inside words and with a typo, by trigrams. The extension is a trusted one: whoever may create
-- in the database may create it.
create extension if not exists pg_trgm;

-- What is searched of each message. A worker adds it after the send, as keeping up the index takes longer than
-- all else that a send does; the messages since the last one here are looked through.
create table search_texts (
  id bigint primary key references messages (id) on delete cascade,
  text text not null
);
create index search_texts_trigrams on search_texts using gin (text gin_trgm_ops);

-- Whoever edits a message need not know of this.
create function update_search_text() returns trigger language plpgsql as $$
begin
  update search_texts set text = new.topic || ' ' || new.content where id = new.id;
  return null;
end $$;
create trigger messages_search_text after update of topic, content on messages
  for each row execute function update_search_text();

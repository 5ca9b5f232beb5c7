-- The characters of a scheduled message, which limit all those of its user: counting them anew for each one took half a
-- second under the log's lock.
alter table scheduled_messages
  add column text_length integer generated always as (length(content) + length(rendered)) stored;

-- Each kind of mail has a room of its own for mails that wait.
create index mails_pending on mails (kind) where due_at is not null;

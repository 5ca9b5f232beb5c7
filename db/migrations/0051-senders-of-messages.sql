-- As for 0030: users are never deleted, and a message names only such as the state has. Checking it locked and wrote the
-- rows of its users again with each message, a fifth of the time that a message takes while it holds the log's lock.
alter table messages
  drop constraint messages_sender_id_fkey,
  drop constraint messages_read_by_id_fkey;
alter table mentions drop constraint mentions_user_id_fkey;

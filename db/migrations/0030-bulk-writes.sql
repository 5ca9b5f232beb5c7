-- A change holds the log's lock while its rows are written, and a foreign key asks for each row again whether its user,
-- channel or message is there: as much time as writing it. For the tables of which one change writes thousands of rows the
-- answer is known. Users, channels and groups are never deleted, and a change names only such as the state has. Marks and
-- edits are taken from the rows of messages while the log is locked. Deferring these checks only moves them to the commit.
alter table subscription_spans
  drop constraint subscription_spans_channel_id_fkey,
  drop constraint subscription_spans_user_id_fkey;
alter table user_group_members
  drop constraint user_group_members_group_id_fkey,
  drop constraint user_group_members_user_id_fkey;
alter table message_marks
  drop constraint message_marks_user_id_fkey,
  drop constraint message_marks_message_id_fkey;
alter table message_edits
  drop constraint message_edits_user_id_fkey,
  drop constraint message_edits_message_id_fkey;

-- All messages of a statement at once, also what the two last keys did for messages that are deleted.
drop trigger messages_search_update on messages;
drop trigger messages_search_delete on messages;
drop function note_search_change();

create function note_messages_deleted() returns trigger language plpgsql as $$
begin
  insert into search_changes (message_id, text, channel_id, conversation_id, sender_id, is_removed)
  select id, topic || ' ' || content, channel_id, conversation_id, sender_id, true from gone;
  delete from message_marks where message_id = any(array(select id from gone));
  delete from message_edits where message_id = any(array(select id from gone));
  return null;
end $$;
create trigger messages_deleted after delete on messages referencing old table as gone
  for each statement execute function note_messages_deleted();

-- A plan made for one message must do for ten thousand.
create function note_messages_changed() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  insert into search_changes (message_id, text, channel_id, conversation_id, sender_id, is_removed)
  select b.id, b.topic || ' ' || b.content, b.channel_id, b.conversation_id, b.sender_id, false
  from before b join after a on a.id = b.id
  where (b.topic, b.content, b.channel_id) is distinct from (a.topic, a.content, a.channel_id);
  return null;
end $$;
create trigger messages_changed after update on messages referencing old table as before new table as after
  for each statement execute function note_messages_changed();

-- Who has read, marked and been mentioned in what, and what messages were before they were edited.

-- Logged messages take another form: clients register again, as after any restart of their own.
delete from event_queues;
delete from event_log;

alter table messages
  -- Who had read it as it was sent: its sender mostly, or whose doing a notice tells of.
  add column read_by_id integer references users (id),
  -- Who is mentioned how, as [user, flags] pairs; null where nobody is.
  add column mentions json,
  -- Whether it mentions everyone who receives it.
  add column is_for_all boolean not null default false,
  -- The event that moved it into its channel; null where it was sent there.
  add column placed_id bigint,
  -- The channels it was in before, the one it was sent to first, each with the event that brought it there.
  add column passed jsonb,
  add column edited_at bigint,
  add column moved_at bigint,
  -- Whether it ever had a reaction or a submessage, so that most pages need not look for any.
  add column has_parts boolean not null default false;
update messages set has_parts = true where id in (select message_id from reactions);
update messages set read_by_id = sender_id where is_read_by_sender;
alter table messages drop column is_read_by_sender;
create index messages_placed on messages (channel_id, placed_id) where placed_id is not null;
create index messages_for_all on messages (id) where is_for_all;

-- The messages that mention a user by name or group, or as one who takes part in the topic.
create table mentions (
  user_id integer not null references users (id),
  message_id bigint not null references messages (id) on delete cascade,
  primary key (user_id, message_id)
);
create index mentions_message on mentions (message_id);

-- What users have marked: 2 starred, 4 collapsed, or both.
create table message_marks (
  user_id integer not null references users (id),
  message_id bigint not null references messages (id) on delete cascade,
  marks smallint not null,
  primary key (user_id, message_id)
);
create index message_marks_message on message_marks (message_id);

-- How far each user has read what was sent to a place: twice a channel's id, or a conversation's and one;
-- 0 for everywhere. All up to through_id is read, but for what is in unread_ids; nothing after it, but for
-- what is in read_ids. A message counts where it was sent, wherever it is moved.
create table read_marks (
  user_id integer not null references users (id),
  place bigint not null,
  through_id bigint not null default 0,
  read_ids bigint[] not null default '{}',
  unread_ids bigint[] not null default '{}',
  primary key (user_id, place)
);
create index read_marks_place on read_marks (place);

-- What messages were before each edit; a field that the edit left as it was is null.
create table message_edits (
  message_id bigint not null references messages (id) on delete cascade,
  -- The event that told of it.
  id bigint not null,
  user_id integer references users (id),
  edited_at bigint not null,
  prev_content text,
  prev_rendered text,
  prev_topic text,
  topic text,
  prev_channel_id integer,
  channel_id integer,
  -- Kept once computed.
  content_html_diff text,
  primary key (message_id, id)
);
-- Compressing a long one takes longer than all else that asking for it does.
alter table message_edits alter column content_html_diff set storage external;

-- What takes part in a poll or a list: its own words, kept as they were sent.
create table submessages (
  id bigint primary key,
  message_id bigint not null references messages (id) on delete cascade,
  sender_id integer not null references users (id),
  type text not null,
  content text not null
);
create index submessages_message on submessages (message_id);

create function note_part() returns trigger language plpgsql as $$
begin
  update messages set has_parts = true where id = new.message_id and not has_parts;
  return null;
end $$;
create trigger reactions_part after insert on reactions for each row execute function note_part();
create trigger submessages_part after insert on submessages for each row execute function note_part();

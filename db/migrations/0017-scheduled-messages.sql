-- Messages that are to be sent at a time, and reminders of messages, which the server's own bot sends.
create table scheduled_messages (
  -- The number of the event that made it.
  id bigint primary key,
  user_id integer not null references users (id),
  -- Where it goes: a channel, or people; a reminder goes to its owner alone.
  channel_id integer references channels (id),
  user_ids integer[],
  topic text not null,
  content text not null,
  rendered text not null,
  -- UNIX seconds.
  deliver_at bigint not null,
  is_read_by_sender boolean not null,
  client text not null,
  -- Set where it could not be sent at its time.
  has_failed boolean not null default false,
  -- Of a reminder: the message, which may be gone by then, and what its owner noted.
  target_id bigint,
  note text not null default '',
  -- The event that changed it last.
  changed_id bigint not null,
  -- The event with which it was sent; null as long as it was not.
  sent_id bigint
);
create index scheduled_messages_user on scheduled_messages (user_id, deliver_at, id) where sent_id is null;
create index scheduled_messages_due on scheduled_messages (deliver_at, id) where sent_id is null and not has_failed;
create index scheduled_messages_sent on scheduled_messages (sent_id) where sent_id is not null;

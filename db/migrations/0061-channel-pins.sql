-- Messages and topics that stand at the top of their channel, at most some dozens in each.
create table channel_pins (
  -- The number of the event that pinned it.
  id bigint primary key,
  channel_id integer not null references channels (id),
  -- Null for a topic. It has no reference: the event that deletes the message is followed by the one that unpins it.
  message_id bigint,
  -- The pinned topic; null for a message.
  topic text,
  user_id integer not null references users (id),
  -- In UNIX seconds.
  pinned_at bigint not null,
  -- The users who had received the message, as an encoded set: with protected history only they see the pin.
  receivers text not null,
  check ((message_id is null) <> (topic is null))
);
create index channel_pins_channel on channel_pins (channel_id, id);
create index channel_pins_user on channel_pins (user_id);

-- Messages with the link of a call, whose provider says who is in it. Workers ask it while `due_at` is set.
create table call_messages (
  message_id bigint primary key references messages (id) on delete cascade,
  -- An edit makes another one, so that work for the earlier text comes to nothing.
  id uuid not null default gen_random_uuid(),
  provider text not null,
  -- The name of the room, or the id of the meeting.
  room text not null,
  -- The channel whose readers join, or a list of the people who do; null if everybody with the link does.
  place jsonb,
  -- Characters of the message's own HTML, which the paragraph about the call follows.
  own_length integer not null,
  -- Until then workers look although nobody is in the call.
  watched_until timestamptz not null,
  due_at timestamptz default now(),
  claimed_by integer,
  tries integer not null default 0
);
create index call_messages_room on call_messages (room);
create index call_messages_due on call_messages (due_at) where due_at is not null;

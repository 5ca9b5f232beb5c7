-- Who reacted to which message, with what. A message that goes takes its reactions along.
create table reactions (
  message_id bigint not null references messages (id) on delete cascade,
  user_id integer not null references users (id),
  -- Code points in hex; for the extra emoji its name.
  emoji_code text not null,
  reaction_type text not null,
  emoji_name text not null,
  -- The event that told of it: the order in which they are shown.
  added_id bigint not null,
  primary key (message_id, user_id, emoji_code, reaction_type)
);

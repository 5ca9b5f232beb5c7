-- What users set for themselves, and what they have begun to write.

-- What they set otherwise than is usual, by name.
alter table users add column settings json not null default '{}';

create table drafts (
  -- The number of the event that made it.
  id bigint primary key,
  user_id integer not null references users (id),
  -- Where it is to go, as far as that is known: a channel with a topic, or people.
  channel_id integer references channels (id),
  topic text not null,
  user_ids integer[],
  content text not null,
  edited_at bigint not null,
  check (channel_id is null or user_ids is null)
);
create index drafts_user on drafts (user_id, id);

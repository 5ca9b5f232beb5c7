-- Keys of programs beside the API key of a person or bot: each has a scope, and most an end.
create table named_keys (
  id text primary key,
  user_id integer not null references users (id) on delete cascade,
  -- SHA-256 in hex; the key itself is stored nowhere.
  key_hash text not null unique,
  name text not null,
  scope text not null check (scope in ('read', 'channel', 'webhooks')),
  channel_id integer references channels (id),
  -- UNIX seconds.
  created_at bigint not null,
  -- Null for none.
  expires_at bigint,
  -- Null until the first use.
  seen_at bigint,
  check ((scope = 'channel') = (channel_id is not null))
);
create index named_keys_users on named_keys (user_id);
create index named_keys_expire on named_keys (expires_at) where expires_at is not null;

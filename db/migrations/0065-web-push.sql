-- The server's own key for web push (RFC 8292), which the first process that needs it makes.
create table web_push_keys (
  is_only boolean primary key default true check (is_only),
  -- The number on the curve P-256, and its point, which browsers get.
  private_key bytea not null,
  public_key bytea not null,
  made_at timestamptz not null default now()
);

-- Subscriptions of browsers and apps: an address at a push service, and the keys that messages to it are encrypted with.
create table web_push_subscriptions (
  -- The number of the event that made it.
  id bigint primary key,
  user_id integer not null references users (id),
  endpoint text not null,
  p256dh bytea not null,
  auth bytea not null,
  -- The session that asked for it, or the hash of the API key that did: it ends with them.
  session_id text references login_sessions (id) on delete cascade,
  key_hash text,
  -- The program, by its User-Agent.
  client text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_success_at timestamptz,
  -- The last answer of the push service: its status, or a word for none.
  last_answer text,
  unique (user_id, endpoint),
  check ((session_id is null) <> (key_hash is null))
);
create index web_push_subscriptions_endpoint on web_push_subscriptions (endpoint);
create index web_push_subscriptions_session on web_push_subscriptions (session_id);

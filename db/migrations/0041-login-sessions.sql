-- Log-ins of browsers. The cookie has a random token; the row has its hash.
create table login_sessions (
  id text primary key,
  user_id integer not null references users (id) on delete cascade,
  token_hash text not null,
  created_at bigint not null,
  -- Written some minutes late at most; sessions that idle for long are ended.
  seen_at bigint not null,
  -- The browser and the address of the log-in, shown to the user alone.
  client text not null default '',
  address text not null default ''
);

create index login_sessions_of_users on login_sessions (user_id);
create index login_sessions_by_use on login_sessions (seen_at);

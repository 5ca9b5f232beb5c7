-- Keys that agents got by a log-in: the text that opens the server is another one every hour.
alter table named_keys add column token_expires_at bigint;

-- What a person allowed an agent: first a code, then a key and the token that renews it. All are hashes.
create table agent_grants (
  -- The id of the key, also before it is made.
  key_id text primary key,
  user_id integer not null references users (id) on delete cascade,
  client_id text not null,
  redirect_url text not null,
  -- The hash of the verifier by which the client redeems the code (PKCE, S256).
  challenge text not null,
  name text not null,
  scope text not null,
  code_hash text not null unique,
  -- UNIX seconds.
  code_expires_at bigint not null,
  is_redeemed boolean not null default false,
  refresh_hash text unique,
  -- The token before it: who shows it has a copy.
  former_refresh_hash text unique,
  refreshed_at bigint
);
create index agent_grants_users on agent_grants (user_id);

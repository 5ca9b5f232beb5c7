-- A ticket is random. Its row has its SHA-256 hash in hex and says who made it, so that no stored value makes another
-- valid. Tickets last for minutes: those of an earlier release are dropped.
drop table tickets;
create table tickets (
  hash text primary key,
  -- Other uses refuse it.
  use text not null,
  -- Null while a person is at a provider to log in.
  user_id integer references users (id) on delete cascade,
  -- The hash of the API key or session that made it: the ticket ends with that.
  key_hash text,
  expires_at timestamptz not null
);
create index tickets_expiry on tickets (expires_at);

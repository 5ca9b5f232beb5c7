-- Network addresses, hashed, from which users logged in: guesses from elsewhere do not keep them out.
create table login_addresses (
  user_id integer not null references users (id) on delete cascade,
  address_hash bytea not null,
  last_at timestamptz not null,
  primary key (user_id, address_hash)
);

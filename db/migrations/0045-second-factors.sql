-- Authenticator apps (RFC 6238), one of each person. The secret is stored as it is: the server computes codes with it.
create table totp_factors (
  user_id integer primary key references users (id) on delete cascade,
  -- Base32.
  secret text not null,
  -- UNIX seconds.
  started_at bigint not null,
  -- Null until a code has shown that the app has the secret; until then log-ins do not ask for it.
  enabled_at bigint,
  -- The time step of the newest code that was accepted: it and earlier ones are refused.
  last_step bigint not null default 0
);

-- Codes for people who lost their app, as hashes; a code that was used is removed.
create table recovery_codes (
  user_id integer not null references users (id) on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

-- Codes that were tried in vain lately; a right one removes the row.
create table factor_tries (
  user_id integer primary key references users (id) on delete cascade,
  tries integer not null,
  since bigint not null
);

-- Log-ins of which the password was right and the code is awaited; the browser has the token.
create table half_logins (
  token_hash text primary key,
  user_id integer not null references users (id) on delete cascade,
  -- Another password since then ends the log-in.
  password_hash text not null,
  expires_at bigint not null
);
create index half_logins_by_end on half_logins (expires_at);

-- Passkeys (WebAuthn). The authenticator has the private key.
create table passkeys (
  id text primary key,
  user_id integer not null references users (id) on delete cascade,
  -- Base64url.
  credential_id text not null unique,
  public_key bytea not null,
  -- The authenticator's count of signatures; always 0 for those that do not count.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  -- Whether its provider copies it to other devices.
  is_synced boolean not null,
  created_at bigint not null,
  used_at bigint
);
create index passkeys_of_users on passkeys (user_id);

-- Challenges that browsers have not answered yet.
create table passkey_challenges (
  -- The hash of the browser's token, or of the credentials of the request.
  browser_hash text primary key,
  challenge text not null,
  -- The user who adds a passkey; null for a log-in.
  user_id integer references users (id) on delete cascade,
  expires_at bigint not null
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);

-- Devices from which people logged in, so that they hear of a new one.
create table login_devices (
  user_id integer not null references users (id) on delete cascade,
  device_hash text not null,
  seen_at bigint not null,
  primary key (user_id, device_hash)
);

-- The parts of a mail that nothing else in the database has.
alter table mails add column details json;

-- The organization's own pictures; null for the server's: the icon, and the logos for light and dark themes.
alter table organization add column icon_id text, add column logo_id text, add column night_logo_id text;

-- The kind of the app that waits for a log-in whose code is awaited; null for a mobile app, or the browser itself.
alter table half_logins add column app text;

-- Log-ins that a browser finished for the desktop application, which redeems each once by a token.
create table desktop_logins (
  -- SHA-256 of the token, in hex: the table lets nobody in.
  token_hash text primary key,
  user_id integer not null references users (id),
  -- SHA-256 of the credentials that were proved, which must be the same when the token is redeemed.
  proof_hash text not null,
  -- The passkey of a log-in by one.
  passkey_id text,
  -- In UNIX seconds.
  expires_at bigint not null
);
create index desktop_logins_expires_at on desktop_logins (expires_at);

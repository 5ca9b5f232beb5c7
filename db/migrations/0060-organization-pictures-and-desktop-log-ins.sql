-- The organization's own pictures; null for the server's: the icon, and the logos for light and dark themes.
alter table organization add column icon_id text, add column logo_id text, add column night_logo_id text;

-- Log-ins that a browser finished for the desktop application, which redeems each once by a token.
create table desktop_logins (
  -- SHA-256 of the token, in hex: the table alone lets nobody in.
  token_hash text primary key,
  user_id integer not null references users (id),
  -- The proof of the log-in, whose credentials must be the same when it is redeemed.
  proof json not null,
  -- In UNIX seconds.
  expires_at bigint not null
);
create index desktop_logins_expires_at on desktop_logins (expires_at);
create index desktop_logins_user on desktop_logins (user_id);

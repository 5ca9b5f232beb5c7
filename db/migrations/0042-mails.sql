-- Mails that wait to be sent. One that was sent or given up stays for an hour, and counts against further ones.
create table mails (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  recipient text not null,
  asked_at timestamptz not null default now(),
  -- Null once it is sent or given up.
  due_at timestamptz default now(),
  tries integer not null default 0
);
create index mails_due on mails (due_at) where due_at is not null;
create index mails_recipient on mails (lower(recipient), asked_at);

-- The newest link of each account for a new password.
create table password_resets (
  user_id integer primary key references users (id),
  -- SHA-256 in hex; only the mail has the token.
  token_hash text not null unique,
  expires_at timestamptz not null
);

-- The addresses by which people answer mails about messages. Only the mails have the tokens.
create table reply_tokens (
  -- SHA-256 in hex.
  token_hash text primary key,
  user_id integer not null references users (id),
  -- The address that the mail went to: the token ends when the account has another one.
  email text not null,
  -- The newest message of the mail: an answer goes where this message is then.
  message_id bigint not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index reply_tokens_users on reply_tokens (user_id, created_at);
create index reply_tokens_expire on reply_tokens (expires_at);

-- Mails that arrived. One that is done stays without its text, so that a repeated delivery is known.
create table received_mails (
  id uuid primary key default gen_random_uuid(),
  -- SHA-256 in hex of the recipient and the mail's id, or its text if it has none.
  mark text not null unique,
  -- The hash of a reply token, or the channel's address without its signature.
  recipient text not null,
  -- As the sender's mail server gave it; empty for bounces.
  envelope_from text not null,
  raw bytea,
  size integer not null,
  received_at timestamptz not null default now(),
  -- Null once it is done.
  due_at timestamptz default now(),
  tries integer not null default 0
);
create index received_mails_due on received_mails (due_at) where due_at is not null;
create index received_mails_recipients on received_mails (recipient, received_at);
create index received_mails_done on received_mails (received_at) where due_at is null;

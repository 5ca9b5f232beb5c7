-- Devices that want to be woken by push notifications, the older tokens of such, and the tests of both.
-- The rows are the work: a worker claims what is due by moving `due_at` on, so that a claim that dies is made again.

create table client_devices (
  -- The number of the event that made it.
  id bigint primary key,
  user_id integer not null references users (id),
  -- The algorithm's number, and the key by which what is sent to the device is encrypted.
  push_key bytea,
  push_key_id bigint,
  token_kind text check (token_kind in ('apns', 'fcm')),
  -- The token, by the client's mark of it in base64, that the relay knows.
  token_id text,
  -- The one that it shall know.
  pending_token_id text,
  token_updated_at bigint,
  error_code text,
  -- What the relay is told of the pending token: sealed for it by the device, and the key it was sealed with.
  registration text,
  relay_public_key text,
  attempts integer not null default 0,
  -- When the relay is told; null when there is nothing to tell.
  due_at timestamptz,
  -- Since when it has been tried.
  tried_since timestamptz
);
create index client_devices_user on client_devices (user_id, id);
create index client_devices_due on client_devices (due_at) where due_at is not null;

-- Tokens as apps register them that know no devices.
create table push_tokens (
  user_id integer not null references users (id),
  kind text not null check (kind in ('apns', 'fcm')),
  token text not null,
  app_id text,
  -- Whether the relay is to forget it; then the row goes.
  is_removed boolean not null default false,
  added_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  due_at timestamptz default now(),
  primary key (user_id, kind, token)
);
create index push_tokens_due on push_tokens (due_at) where due_at is not null;

-- Test notifications that somebody waits for.
create table push_tests (
  id uuid primary key default gen_random_uuid(),
  user_id integer not null references users (id),
  -- The devices, or the tokens, and what the notification says.
  target json not null,
  -- Past it nobody waits any more, and nothing is sent.
  expires_at timestamptz not null,
  is_claimed boolean not null default false,
  outcome text
);
create index push_tests_user on push_tests (user_id, expires_at);

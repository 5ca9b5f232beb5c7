-- What users were granted at the provider of video calls.

create table provider_tokens (
  id uuid primary key,
  user_id integer not null references users (id),
  -- The access token and the refresh token, sealed with a key that the database does not hold.
  sealed bytea not null,
  -- When the access token is over; null where the provider does not say.
  expires_at timestamptz,
  -- Whether an event has said that it is there: the others are about to be, or were left behind.
  is_current boolean not null default false,
  created_at timestamptz not null
);
create unique index provider_tokens_current on provider_tokens (user_id) where is_current;
create index provider_tokens_user on provider_tokens (user_id);

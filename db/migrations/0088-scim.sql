-- Accounts and groups that the company's provider of identities writes by SCIM (RFC 7644).

-- The one token of the provider, while there is one.
create table scim_tokens (
  is_only boolean primary key default true check (is_only),
  -- SHA-256 in hex; the token itself is stored nowhere.
  token_hash text not null
);

-- People as the provider describes them, beyond their accounts.
create table scim_users (
  user_id integer primary key references users (id) on delete cascade,
  user_name text not null,
  -- The name as it is compared: without regard to case.
  user_key text not null,
  external_id text,
  -- The parts of the name, as the provider wrote them.
  names json not null,
  -- Whether the provider has deleted the person: their account is deactivated, and the provider finds it no longer.
  is_gone boolean not null
);
create unique index scim_users_key on scim_users (user_key) where not is_gone;
create index scim_users_external on scim_users (external_id) where external_id is not null;
create index scim_users_gone on scim_users (user_id) where is_gone;

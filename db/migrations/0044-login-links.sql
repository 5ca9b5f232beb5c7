-- Accounts at providers of log-ins that belong to an account here. A provider's subject never changes; addresses do.
create table login_links (
  issuer text not null,
  subject text not null,
  user_id integer not null references users (id) on delete cascade,
  linked_at timestamptz not null,
  primary key (issuer, subject),
  -- An account here has one account at each provider.
  unique (user_id, issuer)
);

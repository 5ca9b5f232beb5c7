-- The newest link that makes the organization; once there was one, no start makes the demo.
create table setup_links (
  -- Only one row.
  id boolean primary key default true check (id),
  -- SHA-256 in hex; only the start's output has the token.
  token_hash text not null,
  expires_at timestamptz not null
);

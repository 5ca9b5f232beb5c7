-- Whether the push relay serves the organization: `realm_push_notifications_enabled` says so to clients.
create table relay_state (
  is_only boolean primary key default true check (is_only),
  can_push boolean not null,
  noted_at timestamptz not null default now()
);

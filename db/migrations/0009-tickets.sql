-- Tickets for WebSockets that were given out and not used yet: a row is what makes each good for one use.

create table tickets (
  id uuid primary key,
  expires_at timestamptz not null
);
create index tickets_expiry on tickets (expires_at);

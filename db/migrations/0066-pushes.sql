-- Pushes of messages: one row for a message and a target, which is a browser or app, or all phones of a user at once. A worker
-- claims what is due by moving `due_at` on. A row stays while the notification is shown, so that it is withdrawn when its
-- user has read the message.
create table pushes (
  id bigint generated always as identity primary key,
  user_id integer not null references users (id),
  -- Null for the phones.
  subscription_id bigint references web_push_subscriptions (id) on delete cascade,
  message_id bigint not null,
  -- The group whose mention is the reason.
  group_id integer,
  asked_at timestamptz not null,
  -- Null while nothing is to do.
  due_at timestamptz default now(),
  tries integer not null default 0,
  -- When the push service took it.
  shown_at timestamptz
);
create unique index pushes_target on pushes (user_id, message_id, coalesce(subscription_id, 0));
create index pushes_due on pushes (due_at) where due_at is not null;
create index pushes_subscription on pushes (subscription_id);

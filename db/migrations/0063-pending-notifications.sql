-- Notifications of messages to users who may be away. The rows are the work: a worker claims what is due by moving
-- `due_at` on, so that a claim that dies is made again; a row goes when its notification is sent or no longer needed.
create table pending_notifications (
  way text not null check (way in ('push', 'mail')),
  user_id integer not null references users (id),
  message_id bigint not null,
  -- Why the message notifies, and the group whose mention is the reason.
  trigger text not null,
  group_id integer,
  asked_at timestamptz not null default now(),
  due_at timestamptz not null,
  tries integer not null default 0,
  primary key (way, user_id, message_id)
);
create index pending_notifications_due on pending_notifications (way, due_at);
create index pending_notifications_message on pending_notifications (message_id);

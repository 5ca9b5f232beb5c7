-- The organization, its people and channels, the messages, and the one log that orders every change.
-- Ids of users, channels and messages are given by the writer under the log's guard, not by sequences.

-- Exactly one row. Whoever commits events updates it and so holds its lock until the commit:
-- number order is commit order, without gaps.
create table event_counter (
  only_row boolean primary key default true check (only_row),
  -- Tells this log from others, where several servers share one Redis.
  log_id uuid not null default gen_random_uuid(),
  last_id bigint not null,
  -- The last event that changed users, channels, subscriptions or rights: a decision made
  -- before it is stale.
  structural_id bigint not null
);
insert into event_counter (last_id, structural_id) values (0, 0);

create table event_log (
  id bigint primary key,
  event json not null,
  -- Null: derived from the event. Else a set of users as text; empty for nobody.
  audience text,
  logged_at timestamptz not null default clock_timestamp()
);
create index event_log_logged_at on event_log using brin (logged_at);

create table organization (
  only_row boolean primary key default true check (only_row),
  name text not null,
  description text not null,
  rendered_description text not null,
  created_at bigint not null
);

create table users (
  id integer primary key,
  email text not null,
  full_name text not null,
  role smallint not null,
  is_active boolean not null,
  bot_type smallint,
  bot_owner_id integer references users (id),
  timezone text not null,
  joined_at bigint not null,
  avatar_version integer not null,
  -- SHA-256 in hex, oldest first.
  api_key_hashes text[] not null default '{}',
  -- scrypt, with its salt and cost; null where no password was set.
  password_hash text
);
create unique index users_email on users (lower(email));

create table channels (
  id integer primary key,
  name text not null,
  description text not null,
  rendered_description text not null,
  created_at bigint not null,
  creator_id integer references users (id),
  is_private boolean not null,
  is_history_public boolean not null,
  retention_days integer
);
create unique index channels_name on channels (lower(name));

-- When each user was subscribed: after event from_id, up to and with event until_id (null: still is).
create table subscription_spans (
  channel_id integer not null references channels (id),
  user_id integer not null references users (id),
  from_id bigint not null,
  until_id bigint,
  primary key (channel_id, user_id, from_id)
);
create unique index subscription_spans_current on subscription_spans (channel_id, user_id) where until_id is null;
create index subscription_spans_user on subscription_spans (user_id);

create table conversations (
  id integer primary key generated always as identity,
  -- Sorted.
  user_ids integer[] not null unique
);
create index conversations_user on conversations using gin (user_ids);

create table messages (
  id bigint primary key,
  channel_id integer references channels (id),
  conversation_id integer references conversations (id),
  topic text not null,
  sender_id integer not null references users (id),
  content text not null,
  rendered text not null,
  sent_at bigint not null,
  client text not null,
  is_read_by_sender boolean not null,
  check ((channel_id is null) <> (conversation_id is null))
);
create index messages_channel on messages (channel_id, id) where channel_id is not null;
create index messages_topic on messages (channel_id, lower(topic), id) where channel_id is not null;
create index messages_conversation on messages (conversation_id, id) where conversation_id is not null;
create index messages_sender on messages (sender_id, id);

-- The sender's own marks of sends: a retry finds its message here instead of sending twice.
create table message_sends (
  sender_id integer not null,
  queue_id text not null,
  local_id text not null,
  message_id bigint not null,
  primary key (sender_id, queue_id, local_id)
);
create index message_sends_message on message_sends (message_id);

-- A queue is a cursor into the log and the options it was registered with.
create table event_queues (
  id uuid primary key,
  user_id integer not null references users (id),
  options json not null,
  acknowledged_id bigint not null,
  idle_timeout_seconds integer not null,
  seen_at timestamptz not null
);
create index event_queues_user on event_queues (user_id);

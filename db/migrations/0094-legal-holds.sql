-- Legal holds: messages and files that are held are kept aside when they are deleted. The events of the log are the truth of the holds.
create table legal_holds (
  -- The number of the event that placed it.
  id bigint primary key,
  name text not null,
  reason text not null,
  is_for_all boolean not null,
  -- All that these people sent, and their direct messages.
  user_ids integer[] not null,
  -- All that is or was in these channels.
  channel_ids integer[] not null,
  placed_by integer not null references users (id),
  -- In UNIX seconds.
  placed_at bigint not null,
  -- It holds nothing any more, and goes when a job has removed what it alone had kept.
  is_lifted boolean not null default false
);

-- Messages that were deleted while they were held.
create table kept_messages (
  id bigint primary key,
  sender_id integer not null,
  -- The people of a direct message, and the channels that another one was in.
  user_ids integer[] not null,
  channel_ids integer[] not null,
  deleted_at timestamptz not null default clock_timestamp(),
  -- The row of the message with its reactions and all of its edits, as the queries of messages read it.
  message json not null
);

-- The files that held messages link, or linked before an edit or their deletion.
create table kept_links (
  message_id bigint not null,
  -- As the file store names the file.
  key text not null,
  primary key (message_id, key)
);
create index kept_links_key on kept_links (key);

-- Files that were removed while they were held. Their bytes stay.
create table kept_files (
  key text primary key,
  upload_id integer not null,
  path text not null,
  name text not null,
  content_type text not null,
  size bigint not null,
  owner_id integer not null,
  created_at timestamptz not null,
  removed_at timestamptz not null default clock_timestamp()
);

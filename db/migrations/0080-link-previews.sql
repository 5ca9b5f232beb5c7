-- What addresses show, so that each is fetched once in a while; a null preview is a failure.
create table link_previews (
  -- SHA-256 of the address.
  url_hash bytea primary key,
  preview jsonb,
  -- The thumbnail in `pictures`, which stays for as long.
  picture_id text,
  expires_at timestamptz not null
);
create index link_previews_expire on link_previews (expires_at);
create index link_previews_pictures on link_previews (picture_id) where picture_id is not null;

-- Messages whose links are to be fetched: written with the message, removed with its previews.
create table waiting_previews (
  message_id bigint primary key references messages (id) on delete cascade,
  -- An edit makes another one, so that work for the earlier text comes to nothing.
  id uuid not null default gen_random_uuid(),
  urls text[] not null,
  -- Characters of the message's own HTML, which previews follow.
  own_length integer not null,
  asked_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  tries integer not null default 0
);
create index waiting_previews_due on waiting_previews (due_at);

-- The thumbnails that messages show: they stay as long as one of them does.
create table preview_pictures (
  message_id bigint references messages (id) on delete cascade,
  picture_id text,
  primary key (message_id, picture_id)
);
create index preview_pictures_pictures on preview_pictures (picture_id);

-- Pictures: the avatars that users chose, and the organization's own emoji.

-- What a picture shows never changes: another picture has another id.
create table pictures (
  -- 128 random bits in hex.
  id text not null,
  -- What it is for, and how large: the file as it was uploaded is not kept.
  variant text not null,
  content_type text not null,
  -- Of the bytes, in hex.
  sha256 text not null,
  bytes bytea not null,
  stored_at timestamptz not null default clock_timestamp(),
  primary key (id, variant)
);
-- They are compressed already.
alter table pictures alter column bytes set storage external;
create index pictures_stored_at on pictures (stored_at);

-- Null without one of one's own.
alter table users add column avatar_id text;

create table custom_emoji (
  id integer primary key,
  name text not null,
  author_id integer not null references users (id),
  picture_id text not null,
  is_animated boolean not null,
  is_deactivated boolean not null
);
create unique index custom_emoji_name on custom_emoji (name) where not is_deactivated;

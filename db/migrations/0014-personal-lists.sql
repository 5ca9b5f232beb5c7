-- What users keep for themselves: snippets, views, whom they have muted, and the words they want to be alerted of.

create table saved_snippets (
  -- The number of the event that made it.
  id bigint primary key,
  user_id integer not null references users (id),
  title text not null,
  content text not null,
  created_at bigint not null,
  -- The event that changed it last.
  changed_id bigint not null
);
create index saved_snippets_user on saved_snippets (user_id, id);

create table navigation_views (
  -- The number of the event that made it.
  id bigint not null,
  user_id integer not null references users (id),
  fragment text not null,
  is_pinned boolean not null,
  -- Null for those that come with every client.
  name text,
  primary key (user_id, fragment)
);

-- From when to when, by events, a user had muted another: what was sent meanwhile is read to them.
create table mutings (
  user_id integer not null references users (id),
  muted_id integer not null references users (id),
  from_id bigint not null,
  -- Null while they are muted.
  until_id bigint,
  muted_at bigint not null,
  primary key (user_id, muted_id, from_id)
);
create unique index mutings_now on mutings (user_id, muted_id) where until_id is null;
create index mutings_muted on mutings (muted_id, user_id);

create table alert_words (
  user_id integer primary key references users (id),
  words text[] not null
);

-- How a message mentions a user: the flags, of which one says that it alerts them.
alter table mentions add column flags smallint;
update mentions n set flags = (mention ->> 1)::smallint
  from messages m, json_array_elements(m.mentions) mention
  where m.id = n.message_id and (mention ->> 0)::int = n.user_id;
update mentions set flags = 8 where flags is null;
alter table mentions alter column flags set not null;

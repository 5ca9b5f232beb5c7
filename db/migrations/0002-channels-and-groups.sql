-- User groups, and all that channels, subscriptions and the organization can be set to.

-- Logged subscriptions take another form: clients register again, as after any restart of their own.
delete from event_queues;
delete from event_log;

alter table organization
  -- What differs from the defaults, by name.
  add column settings json not null default '{}',
  add column permissions json not null default '{}';

alter table users
  add column is_system boolean not null default false,
  -- The last day they were seen, counted from 1970 in UTC.
  add column seen_day integer;

create table channel_folders (
  id integer primary key,
  name text not null,
  description text not null,
  rendered_description text not null,
  created_at bigint not null,
  creator_id integer references users (id),
  is_archived boolean not null default false,
  -- Their order in the clients' lists.
  position integer not null
);

alter table channels
  add column is_web_public boolean not null default false,
  add column topics_policy text not null default 'inherit',
  add column folder_id integer references channel_folders (id),
  add column is_archived boolean not null default false,
  add column is_default boolean not null default false,
  -- Who holds each permission, by name; those left out have their defaults.
  add column permissions json not null default '{}';

-- What subscribers have set; without a row everything is as usual.
create table subscription_settings (
  user_id integer not null references users (id),
  channel_id integer not null references channels (id),
  settings json not null,
  primary key (user_id, channel_id)
);

-- What users have said of topics: 1 muted, 2 unmuted, 3 followed.
create table user_topics (
  user_id integer not null references users (id),
  channel_id integer not null references channels (id),
  topic text not null,
  visibility smallint not null,
  updated_at bigint not null
);
create unique index user_topics_topic on user_topics (user_id, channel_id, lower(topic));

create table user_groups (
  id integer primary key,
  name text not null,
  description text not null,
  creator_id integer references users (id),
  created_at bigint,
  is_system boolean not null default false,
  is_deactivated boolean not null default false,
  permissions json not null
);
create unique index user_groups_name on user_groups (lower(name));

create table user_group_members (
  group_id integer not null references user_groups (id),
  user_id integer not null references users (id),
  primary key (group_id, user_id)
);
create table user_group_subgroups (
  group_id integer not null references user_groups (id),
  subgroup_id integer not null references user_groups (id),
  primary key (group_id, subgroup_id)
);

-- Messages by day, for the weekly traffic of channels.
create index messages_sent_at on messages using brin (sent_at);

-- The system groups are in every organization. Nobody manages, joins or leaves them: 8 is nobody's group.
insert into user_groups (id, name, description, is_system, permissions)
select id, name, description, true,
  '{"canAddMembers":8,"canJoin":8,"canLeave":8,"canManage":8,"canMention":8,"canRemoveMembers":8}'
from (values
  (1, 'role:owners', 'Owners of this organization'),
  (2, 'role:administrators', 'Administrators of this organization, including owners'),
  (3, 'role:moderators', 'Moderators of this organization, including administrators'),
  (4, 'role:fullmembers', 'Members of this organization, not including new accounts and guests'),
  (5, 'role:members', 'Members of this organization, not including guests'),
  (6, 'role:everyone', 'Everyone in this organization, including guests'),
  (7, 'role:internet', 'Everyone on the Internet'),
  (8, 'role:nobody', 'Nobody')
) as shape (id, name, description);
insert into user_group_subgroups (group_id, subgroup_id) values (2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (7, 6);

-- Accounts made before there were groups; all members are full ones, as there was no waiting period.
insert into user_group_members (group_id, user_id)
select case role when 100 then 1 when 200 then 2 when 300 then 3 when 400 then 5 else 6 end, id from users;
insert into user_group_members (group_id, user_id) select 4, id from users where role = 400;

-- Channels made before have the usual holders, and their creator administers them.
update channels set permissions =
  json_build_object('canAdministerChannel',
    json_build_object('directMembers', json_build_array(creator_id), 'directSubgroups', '[]'::json))
where creator_id is not null;

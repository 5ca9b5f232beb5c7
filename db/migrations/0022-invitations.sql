-- Links by which whoever has one makes an account of their own.

create table invitations (
  -- The number of the event that made it.
  id bigint primary key,
  -- What stands in the link. Those who may see the invitation are told the link again, so it is kept as it is.
  key text not null unique,
  inviter_id integer not null references users (id),
  role smallint not null,
  channel_ids integer[] not null,
  group_ids integer[] not null,
  -- Whether those who join are subscribed to the default channels, too.
  has_default_channels boolean not null,
  -- Null for the organization's own text.
  welcome_text text,
  invited_at bigint not null,
  -- Null where it is never over.
  expires_at bigint
);
create index invitations_inviter on invitations (inviter_id, id);

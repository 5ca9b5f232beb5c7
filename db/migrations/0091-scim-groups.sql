-- User groups that the company's provider of identities has written by SCIM.
create table scim_groups (
  group_id integer primary key references user_groups (id) on delete cascade,
  external_id text,
  -- Whether the provider has deleted it: it has no people, and the provider finds it no longer.
  is_gone boolean not null
);

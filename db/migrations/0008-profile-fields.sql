-- What organizations add to the profiles of their people.

create table profile_fields (
  -- Never used again: fields that were deleted stay here.
  id integer primary key,
  type smallint not null,
  name text not null,
  hint text not null,
  -- Choices, or where an external account is; null for other types.
  data json,
  is_in_summary boolean not null,
  is_required boolean not null,
  is_editable boolean not null,
  position integer not null,
  is_deleted boolean not null default false
);

create table profile_values (
  user_id integer not null references users (id),
  field_id integer not null references profile_fields (id),
  value text not null,
  -- HTML; null where the field holds no Markdown.
  rendered text,
  primary key (user_id, field_id)
);
create index profile_values_field on profile_values (field_id);

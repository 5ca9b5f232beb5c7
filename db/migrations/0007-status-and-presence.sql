-- What users say of how they are; who is there is kept in memory only.

create table user_statuses (
  user_id integer primary key references users (id),
  -- Empty without one.
  text text not null,
  -- Its name, code and type.
  emoji json
);

-- Imports by owners. The events of the log are the truth of them, but for the tries and the reports of workers.
create table organization_imports (
  id integer primary key,
  user_id integer not null references users (id),
  product text not null,
  file_name text not null,
  is_fetching boolean not null,
  is_keeping_roles boolean not null,
  -- In UNIX seconds.
  requested_at bigint not null,
  -- The phase, with what belongs to it: see `ImportState`.
  state json not null,
  -- Runs of this phase that began: one whose process dies begins again, some times.
  tries integer not null default 0,
  -- What would come over, and what came.
  plan json,
  report json
);

-- The import that an upload is the archive of.
alter table tus_uploads add column import_id integer references organization_imports (id) on delete cascade;

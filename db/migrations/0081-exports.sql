-- Exports of the organization, by administrators. The events of the log are the truth of them.
create table organization_exports (
  id integer primary key,
  user_id integer not null references users (id),
  kind text not null check (kind in ('public', 'consented')),
  -- In UNIX seconds.
  requested_at bigint not null,
  -- The phase, with what belongs to it: see `ExportOutcome`.
  outcome json not null
);

-- What a worker does for a pending export.
create table export_work (
  export_id integer primary key references organization_exports (id) on delete cascade,
  -- Runs that began: one whose process dies begins again, some times.
  tries integer not null default 0,
  -- The archive in the file store that the last run writes.
  file_key text,
  -- The part of the messages that is written, from 0 to 1.
  progress real not null default 0
);

-- Workers that ran lately. A worker lives as long as one of its sessions: each holds a lock of the worker (`db/living-workers.ts`).
create table workers (
  id integer primary key
);

-- The worker that has a row now; null while none has, and for claims of an earlier release, which end by time alone.
alter table pending_notifications add column claimed_by integer;
alter table pushes add column claimed_by integer;
alter table mails add column claimed_by integer;
alter table received_mails add column claimed_by integer;
alter table waiting_previews add column claimed_by integer;
alter table client_devices add column claimed_by integer;
alter table push_tokens add column claimed_by integer;

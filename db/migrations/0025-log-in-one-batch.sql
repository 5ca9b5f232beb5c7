-- A batch of statements that is sent with its commit ends here where a condition does not hold.
create function refuse_write() returns boolean language plpgsql as $$
begin
  raise exception 'a write does not find what it was decided on' using errcode = 'PY001';
end $$;

-- When the newest message was stamped, in UNIX seconds: none after it is stamped earlier, whichever process sends it.
alter table event_counter add column stamped_at bigint not null default 0;
update event_counter set stamped_at = (select coalesce(max(sent_at), 0) from (
  select sent_at from messages order by id desc limit 1) newest);

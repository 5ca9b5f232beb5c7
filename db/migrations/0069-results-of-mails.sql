-- The newest results of sending mails, for administrators: one row.
create table mail_results (
  is_only boolean primary key default true check (is_only),
  sent_at timestamptz,
  failed_at timestamptz,
  -- The reason of the newest failure, without addresses.
  problem text
);
insert into mail_results default values;

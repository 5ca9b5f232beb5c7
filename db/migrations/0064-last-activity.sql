-- When users were last active, in servers without Redis: workers ask before they notify somebody.
create table last_activity (
  user_id integer primary key references users (id),
  -- UNIX seconds.
  active_at bigint not null
) with (fillfactor = 50); -- Each report updates a row in place.

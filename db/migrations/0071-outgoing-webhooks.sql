-- Calls of outgoing webhooks wait like notifications: one row for a message and a bot that it calls.
alter table pending_notifications drop constraint pending_notifications_way_check;
alter table pending_notifications add constraint pending_notifications_way_check
  check (way in ('push', 'mail', 'webhook'));

-- Facts that only the calls and the bot's managers need. The address and the token are in `bot_setups`.
create table outgoing_webhooks (
  bot_id integer primary key references users (id),
  -- Signs the calls; made for the first of them.
  signing_secret text not null,
  -- Since when calls fail. The owner was notified when this was set.
  failing_since timestamptz
);

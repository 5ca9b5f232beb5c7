-- What bots have beside their accounts: where the messages of outgoing webhooks go, and the channels that they
-- take where none is named.

create table bot_setups (
  bot_id integer primary key references users (id),
  -- With url, token and interface; null for a bot that is no outgoing webhook.
  service json,
  sending_channel_id integer references channels (id),
  events_channel_id integer references channels (id),
  hears_public_channels boolean not null
);

-- Whether nobody has logged in yet to an account that was made for somebody: they join when they do.
alter table users add column awaits_login boolean not null default false;

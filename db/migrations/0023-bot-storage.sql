-- What bots keep here for themselves: texts by keys of their own.

create table bot_storage (
  bot_id integer not null references users (id),
  key text not null,
  value text not null,
  primary key (bot_id, key)
);

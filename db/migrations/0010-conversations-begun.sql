-- Who has exchanged direct messages with somebody knows them from then on, also where the messages are deleted.

alter table conversations add column had_messages boolean not null default false;
comment on column conversations.had_messages is
  'Set where messages were deleted: there may be none left that tell of them.';

-- Keys of programs that read as their user and write messages.
alter table named_keys drop constraint named_keys_scope_check;
alter table named_keys add constraint named_keys_scope_check
  check (scope in ('read', 'messages', 'channel', 'webhooks'));

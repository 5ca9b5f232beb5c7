-- Who caused an event: a user, 0 for the server itself or its operator, -1 where that is unknown. Null for events that the
-- audit log does not have, such as messages, for which it takes no byte.
alter table event_log add column actor_id integer;
-- For a release without this column that still runs beside this one.
alter table event_log alter column actor_id set default -1;
update event_log set actor_id = -1 where event ->> 'type' = any('{
  delete_message, organization_created, realm/update_dict, realm_linkifiers, realm_playgrounds, realm_domains/add,
  realm_domains/change, realm_domains/remove, realm_user_settings_defaults/update, realm_emoji/update,
  custom_profile_fields, realm_user/add, realm_user/update, realm_user/avatar, realm_user/profile, bot_setup_changed,
  api_keys_changed, stream/create, stream/update, default_streams, channel_folder/add, channel_folder/update,
  channel_folder/reorder, subscription/add, subscription/remove, user_group/add, user_group/update,
  user_group/add_members, user_group/remove_members, user_group/add_subgroups, user_group/remove_subgroups,
  invites_changed, invitation_used}'::text[])
  or event ->> 'type' = 'update_message' and event ->> 'move' is not null;
create index event_log_audited on event_log (id) where actor_id is not null;

-- What the audit log has of events that left the log: no text of messages, and no secrets.
create table audit_log (
  -- The number of the event.
  id bigint primary key,
  logged_at timestamptz not null,
  actor_id integer not null,
  kind text not null,
  part json not null
);
create index audit_log_actor on audit_log (actor_id, id);
create index audit_log_logged_at on audit_log using brin (logged_at);

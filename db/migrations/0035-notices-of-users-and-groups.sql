-- What clients are shown of users and groups that stay as they are has types of its own; such entries had a flag, or lacked
-- what would have changed.
update event_log set event = (event::jsonb - '{isHidden,isSightOnly,isNew}'::text[] || jsonb_build_object('type', case
  when event ->> 'type' = 'user_group/add_members' then 'user_group/show_members'
  when event ->> 'type' = 'user_group/remove_members' then 'user_group/hide_members'
  when event ->> 'type' = 'user_group/update' then 'user_group/update_shown'
  when event ->> 'isNew' = 'true' then 'user_group/add'
  when event ->> 'isNew' = 'false' then 'user_group/reveal'
  when event ->> 'type' = 'user_status' then 'user_status/shown'
  else 'realm_user/avatar_shown'
end))::json
where case event ->> 'type'
  when 'user_group/add_members' then event ->> 'isHidden' = 'true'
  when 'user_group/remove_members' then event ->> 'isHidden' = 'true'
  when 'user_group/update' then event ->> 'isSightOnly' = 'true'
  when 'user_group/add' then event ->> 'isNew' is not null
  when 'user_status' then event ->> 'isAway' is not null
  when 'realm_user/avatar' then event -> 'avatar' is null
  else false
end;

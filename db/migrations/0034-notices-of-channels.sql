-- What clients are shown of a channel that stays as it is has types of its own; such entries had a flag, a kind of change,
-- or no users who subscribe.
update event_log set event = (event::jsonb - 'isNew' || '{"type": "stream/reveal"}')::json
where event ->> 'type' = 'stream/create' and event ->> 'isNew' = 'false';
update event_log set event = (event::jsonb - 'isNew')::json where event ->> 'type' = 'stream/create';

update event_log set event = (event::jsonb - 'isSightOnly' || '{"type": "stream/update_shown"}')::json
where event ->> 'type' = 'stream/update' and (
  event ->> 'isSightOnly' = 'true' or event #>> '{change,kind}' in ('postPolicy', 'announcementOnly', 'firstMessage'));

update event_log set event = (event::jsonb - 'isSightOnly' || '{"type": "default_streams/shown"}')::json
where event ->> 'type' = 'default_streams' and event ->> 'isSightOnly' = 'true';

update event_log set event = (event::jsonb - 'userIds' || '{"type": "subscription/reveal"}')::json
where event ->> 'type' = 'subscription/add' and json_array_length(event -> 'userIds') = 0;

update event_log set event = (event::jsonb || '{"type": "subscription/update_shown"}')::json
where event ->> 'type' = 'subscription/update' and event #>> '{change,property}' = 'inHomeView';

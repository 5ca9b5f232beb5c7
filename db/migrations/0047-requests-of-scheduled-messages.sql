-- The id of the request that scheduled a message or reminder, for the log lines of its delivery.
alter table scheduled_messages add column request_id text;

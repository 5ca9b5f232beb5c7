-- A move to another channel asked for each of its messages whether the channel is there: a quarter of its time, while the
-- log is locked. Channels are never deleted, and a message is sent or moved only to one that the state has.
alter table messages drop constraint messages_channel_id_fkey;

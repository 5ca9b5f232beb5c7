-- The run of the server that clients were last told of: its number, and which release it was.
alter table organization add column generation json;

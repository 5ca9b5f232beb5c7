-- Tells histories of the log apart. A restore or a fail-over brings an earlier end of the log back, from which it goes
-- on otherwise than clients and processes have seen it: then this becomes another.
alter table event_counter add column epoch uuid not null default gen_random_uuid();
-- Which database that history was last written in, as far as PostgreSQL says: its cluster, timeline and own number.
-- Null until a process has seen it.
alter table event_counter add column home text;

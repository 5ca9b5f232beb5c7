-- What came from other products, each thing once, however often its archive is read. The key is the MD5 of its name
-- there; the id is a user's, a channel's or a message's, or 0 for what has none.
create table imported_ids (
  key uuid primary key,
  id bigint not null
);

-- Messages that are older than the one before: the first of an import, and of what follows a message that was written
-- meanwhile. Between two of them times increase with ids.
create table time_breaks (
  id bigint primary key
);

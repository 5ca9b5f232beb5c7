-- A file may be empty: then its upload is whole as soon as it is begun.
alter table tus_uploads drop constraint tus_uploads_size_check, add constraint tus_uploads_size_check check (size >= 0);

-- The users to whom alone a message was sent as unread; null where that is everyone who received it. Few notices are so,
-- and their users are few: all others get them as read, and no row is written for those.
alter table messages add column unread_for integer[];

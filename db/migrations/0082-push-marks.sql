-- The mark of the conversation that a browser shows the message under: the message may have been moved or deleted when its
-- notification is withdrawn. Null for phones, and for pushes of earlier versions.
alter table pushes add column mark text;
-- Deletions and moves look for the pushes of their messages.
create index pushes_message on pushes (message_id);

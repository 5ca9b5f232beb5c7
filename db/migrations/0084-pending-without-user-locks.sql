-- Each row locked the row of its user until the commit, which was a third of the time of a message that notifies 5,000 people.
-- No account is ever deleted.
alter table pending_notifications drop constraint pending_notifications_user_id_fkey;

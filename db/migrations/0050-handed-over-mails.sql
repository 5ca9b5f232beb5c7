-- How often a mail was handed to the mail server without an answer from it that the worker has noted.
alter table mails add column handed integer not null default 0;

-- The link of a mail that may have arrived, while the mail that repeats it has another: both work, and end together.
alter table password_resets add column former_hash text unique;
alter table joinings add column former_hash text unique;
alter table invitations add column former_hash text unique;
alter table address_changes add column former_hash text unique;

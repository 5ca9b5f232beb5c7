-- The one-time pad of a mobile app that waits for the code of its user; hidden by the browser's token, which no row has.
alter table half_logins add column hidden_pad text;

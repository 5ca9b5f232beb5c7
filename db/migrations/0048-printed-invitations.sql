-- The link of a mailed invitation that the command line printed for the operator; it ends together with that of the mail.
-- SHA-256 in hex.
alter table invitations add column printed_hash text unique;

-- A mail may be about an invitation, and count against a user's limit.
alter table mails add column invitation_id bigint;
alter table mails add column user_id integer;
create index mails_users on mails (user_id, kind, asked_at) where user_id is not null;
create index mails_kinds on mails (kind, asked_at);

-- An invitation is a link that anyone may use, or a mail to one address. Only the mail has its token.
alter table invitations alter column key drop not null;
alter table invitations add column email text;
-- SHA-256 in hex; null until the mail is sent.
alter table invitations add column token_hash text unique;
alter table invitations add column notifies_inviter boolean not null default false;
alter table invitations add constraint invitations_form check ((key is null) <> (email is null));
create index invitations_emails on invitations (lower(email)) where email is not null;

-- People who opened a link of an invitation, and confirm their address by a mail: the newest one of each address.
create table joinings (
  email text not null,
  invitation_id bigint not null references invitations (id) on delete cascade,
  -- SHA-256 in hex; only the mail has the token.
  token_hash text not null unique,
  expires_at timestamptz not null
);
create unique index joinings_emails on joinings (lower(email));
create index joinings_invitations on joinings (invitation_id);

-- The new address that a user wants: it takes effect once a mail to it is confirmed.
create table address_changes (
  user_id integer primary key references users (id),
  email text not null,
  -- SHA-256 in hex; null until the mail is sent.
  token_hash text unique,
  expires_at timestamptz not null
);

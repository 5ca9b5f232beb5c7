-- Whether a session began by a passkey, which counts as both factors.
alter table login_sessions add column by_passkey boolean not null default false;

-- Drawn pictures are signed by a secret of their own. It opens nothing, and a new one would break the addresses of pictures
-- in clients; the other one can be replaced at any time. Addresses of pictures stay as they are.
alter table upload_secrets add column picture_secret bytea;
update upload_secrets set picture_secret = secret;
alter table upload_secrets alter column picture_secret set not null;

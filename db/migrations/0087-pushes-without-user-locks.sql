-- Each row locked the row of its user until the commit. No account is ever deleted.
alter table pushes drop constraint pushes_user_id_fkey;

-- People are looked for by their user names also among those whom the provider has deleted.
create index scim_users_user_key on scim_users (user_key);

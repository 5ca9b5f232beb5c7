-- What the mail server answered to the newest email about messages to each user, for their list of devices.
create table mail_answers (
  user_id integer primary key,
  -- The address that it went to: an answer says nothing of another one.
  email text not null,
  last_success_at timestamptz,
  -- A status, or a word.
  last_answer text not null
);

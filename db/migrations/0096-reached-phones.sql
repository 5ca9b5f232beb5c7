-- What the push relay last answered to a push for a phone, and when it last took one.
alter table client_devices add column last_success_at timestamptz, add column last_answer text;
alter table push_tokens add column last_success_at timestamptz, add column last_answer text;

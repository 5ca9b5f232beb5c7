-- Since when the push relay has failed or could not be reached; null once it has answered.
alter table relay_state add column failing_since timestamptz;

-- What an edit changed is kept as it is told: a string of JSON, so that nobody has to encode half a megabyte again.
-- What was kept until now follows from the texts, and is computed anew.
alter table message_edits drop column content_html_diff;
alter table message_edits add column encoded_diff text;
alter table message_edits alter column encoded_diff set storage external;

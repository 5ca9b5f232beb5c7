-- Leads to the stored differences of edits, which a job clears some weeks after the edit: they can be computed again.
create index message_edits_diffs on message_edits (edited_at) where encoded_diff is not null;

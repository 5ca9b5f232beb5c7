-- The source of a user's picture without an uploaded one: G for Gravatar, J for a drawn one. Null for users who joined
-- before the organization chose a source for new ones: they have that of the server.
alter table users add column picture_source text;

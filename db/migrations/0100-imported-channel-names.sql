-- The names that an owner chose for channels of an archive whose names are taken here: see `ChosenName`.
alter table organization_imports add column channel_names json not null default '[]';

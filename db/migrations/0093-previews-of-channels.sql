-- Whether messages of a channel show previews of links, if the organization has these turned on.
alter table channels add column has_link_previews boolean not null default true;

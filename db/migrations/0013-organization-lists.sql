-- What administrators and owners list for everyone.

-- Linkifiers and playgrounds: each list is read and written as a whole.
create table organization_lists (
  name text primary key,
  -- In their order.
  entries json not null,
  -- The highest id that an entry ever had: none is used again.
  last_id integer not null
);

-- Of which newcomers may have addresses.
create table email_domains (
  id integer primary key,
  -- In lower case.
  domain text not null unique,
  allows_subdomains boolean not null
);

-- What newcomers start with, where it is not as usual.
alter table organization add column newcomers_settings json not null default '{}';

-- Uploads by the resumable protocol: what is known of them until their clients have the answer.

create table tus_uploads (
  -- The key of the bytes in the file store.
  key text primary key,
  owner_id integer not null references users (id),
  -- Bytes that it will have; null as long as its client does not know.
  size bigint check (size > 0),
  -- The header Upload-Metadata, as it came.
  metadata text not null,
  created_at timestamptz not null,
  -- What the last request was answered, once the file is an upload like any other.
  reply text,
  -- Whether that answer went to a client that was still there.
  is_answered boolean not null default false
);
create index tus_uploads_owner on tus_uploads (owner_id) where reply is null;
create index tus_uploads_created on tus_uploads (created_at);

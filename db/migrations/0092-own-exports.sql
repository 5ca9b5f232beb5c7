-- People export their own data, too; the archive is for them alone.
alter table organization_exports
  drop constraint organization_exports_kind_check,
  add constraint organization_exports_kind_check check (kind in ('public', 'consented', 'own'));

/** Channel folders and their order. */

import type { ChannelFolder } from '../../server/domain/entities.ts'
import type { FolderId } from '../../server/domain/ids.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** Adds a folder at the end. */
export function storeFolder(writes: WriteBatch, folder: ChannelFolder): void {
  writes.add(writes.sql`insert into channel_folders (id, name, description, rendered_description, created_at, creator_id,
      is_archived, position)
    values (${folder.id}, ${folder.name}, ${folder.description}, ${folder.renderedDescription},
      ${folder.createdAt}, ${folder.creatorId}, ${folder.isArchived},
      (select coalesce(max(position) + 1, 0) from channel_folders))`)
}

export function storeFolderChange(
  writes: WriteBatch,
  id: FolderId,
  changes: Partial<Omit<ChannelFolder, 'id'>>,
): void {
  writes.add(writes.sql`update channel_folders set
      name = coalesce(${changes.name ?? null}, name),
      description = coalesce(${changes.description ?? null}, description),
      rendered_description = coalesce(${changes.renderedDescription ?? null}, rendered_description),
      is_archived = coalesce(${changes.isArchived ?? null}::boolean, is_archived)
    where id = ${id}`)
}

export function storeFolderOrder(writes: WriteBatch, ids: readonly FolderId[]): void {
  writes.add(writes.sql`update channel_folders set position = array_position(${[...ids]}::int[], id)`)
}

/** All folders, in order. */
export async function loadFolders(sql: Sql | Transaction): Promise<ChannelFolder[]> {
  return sql<ChannelFolder[]>`
    select id, name, description, rendered_description as "renderedDescription", created_at as "createdAt",
      creator_id as "creatorId", is_archived as "isArchived"
    from channel_folders order by position`
}

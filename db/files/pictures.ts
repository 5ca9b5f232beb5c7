/** Pictures, stored in the database: a server's disk may be lost with it. */

import type { PictureId, PictureVariant } from '../../server/domain/files/pictures.ts'
import type { Sql } from '../connection/connect.ts'

/** A picture as it is served. */
export interface Picture {
  readonly contentType: string
  /** Hash of the bytes, in hex. */
  readonly sha256: string
  readonly bytes: Uint8Array
}

/** A picture to store. */
export interface NewPicture extends Picture {
  readonly variant: PictureVariant
}

/** Stores all variants of one file, or none. Until an event names the picture, it may be removed again. */
export async function storePictures(sql: Sql, id: PictureId, pictures: readonly NewPicture[]): Promise<void> {
  const rows = pictures.map(({ variant, contentType, sha256, bytes }) => ({
    id,
    variant,
    content_type: contentType,
    sha256,
    bytes,
  }))
  await sql`insert into pictures ${sql(rows, 'id', 'variant', 'content_type', 'sha256', 'bytes')}`
}

export async function findPicture(
  sql: Sql,
  id: PictureId,
  variant: PictureVariant,
): Promise<Picture | undefined> {
  const [picture] = await sql<Picture[]>`
    select content_type as "contentType", sha256, bytes from pictures where id = ${id} and variant = ${variant}`
  return picture
}

/** Removes unnamed pictures stored before a time: the change after an upload may have failed. */
export async function removeOrphanPictures(sql: Sql, before: Date, countMax: number): Promise<number> {
  const removed = await sql`
    with old as materialized (
      select id, variant from pictures p
      where stored_at < ${before}
        and not exists (select from users where avatar_id = p.id)
        and not exists (select from custom_emoji where picture_id = p.id)
        and not exists (select from link_previews where picture_id = p.id)
        and not exists (select from preview_pictures where picture_id = p.id)
        and not exists (select from organization where p.id in (icon_id, logo_id, night_logo_id))
      limit ${countMax} for update skip locked
    )
    delete from pictures where (id, variant) in (table old)`
  return removed.count
}

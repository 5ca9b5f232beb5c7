/** Channel folders for clients. */

import type { ChannelFolder } from '../domain/entities.ts'
import { BOOLEAN, INTEGER, orNull, record, STRING, type ValueOf } from '../domain/json-schema.ts'

/** Schema of `viewFolder`. */
export const CHANNEL_FOLDER = record({
  id: INTEGER,
  name: STRING,
  description: STRING,
  rendered_description: STRING,
  date_created: INTEGER,
  creator_id: orNull(INTEGER),
  is_archived: BOOLEAN,
  order: INTEGER,
})

/** Schema of `viewFolderChange`. */
export const CHANNEL_FOLDER_CHANGE = record(
  {},
  { name: STRING, description: STRING, rendered_description: STRING, is_archived: BOOLEAN },
)

/** The folder object of `GET /channel_folders`; `order` is its position. */
export function viewFolder(folder: ChannelFolder, order: number): ValueOf<typeof CHANNEL_FOLDER> {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: folder.renderedDescription,
    date_created: folder.createdAt,
    creator_id: folder.creatorId,
    is_archived: folder.isArchived,
    order,
  }
}

/** The changed fields of a folder. */
export function viewFolderChange(changes: Partial<ChannelFolder>): ValueOf<typeof CHANNEL_FOLDER_CHANGE> {
  return {
    ...(changes.name === undefined ? {} : { name: changes.name }),
    ...(changes.description === undefined ? {} : { description: changes.description }),
    ...(changes.renderedDescription === undefined
      ? {}
      : { rendered_description: changes.renderedDescription }),
    ...(changes.isArchived === undefined ? {} : { is_archived: changes.isArchived }),
  }
}

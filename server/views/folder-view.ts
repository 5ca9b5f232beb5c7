/** Channel folders as clients see them. */

import type { ChannelFolder } from '../domain/entities.ts'

/** The folder object of `GET /channel_folders`; `order` is its place in the list of all. */
export function viewFolder(folder: ChannelFolder, order: number) {
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

/** What changed about a folder. */
export function viewFolderChange(changes: Partial<ChannelFolder>) {
  return {
    ...(changes.name === undefined ? {} : { name: changes.name }),
    ...(changes.description === undefined ? {} : { description: changes.description }),
    ...(changes.renderedDescription === undefined
      ? {}
      : { rendered_description: changes.renderedDescription }),
    ...(changes.isArchived === undefined ? {} : { is_archived: changes.isArchived }),
  }
}

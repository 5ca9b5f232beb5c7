/** Brings folders of channels over. If one here has the name, that is the one. */

import { findImported, importKey } from '../../../db/imports/imported-ids.ts'
import { checkNewFolder } from '../../decisions/folders/change-folders.ts'
import { answering, type Decision } from '../../decisions/decision.ts'
import { scopeFor, type ServerScope } from '../../decisions/scope.ts'
import type { ChannelFolder } from '../../domain/entities.ts'
import type { FolderId } from '../../domain/ids.ts'
import { FOLDER_DESCRIPTION_LENGTH_MAX, FOLDER_NAME_LENGTH_MAX } from '../../domain/limits.ts'
import { ApiError } from '../../errors/api-error.ts'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import { renderMarkdown } from '../../../workers/pool/render-markdown.ts'
import type { Loading } from './loading.ts'
import { cutText } from './fields.ts'
import type { ForeignFolder } from './records.ts'

/** Makes the folders that no earlier run has made; returns the folders here by their ids there. */
export async function loadFolders(loading: Loading): Promise<ReadonlyMap<string, FolderId>> {
  const { source, target, report } = loading
  const here = new Map<string, FolderId>()
  for (const folder of source.lists.folders.values()) {
    const key = importKey(source.origin, 'folder', folder.id)
    const known = (await findImported(target.sql, [key])).get(key) as FolderId | undefined
    try {
      const id = known ?? (await target.change(decideFolder(loading, folder), (made) => [[key, made]]))
      // No channel is in an archived folder.
      if (target.state.folders.some((one) => one.id === id && !one.isArchived)) here.set(folder.id, id)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      report.lose({ place: undefined, reason: 'a folder', example: `${folder.name}: ${error.message}` })
    }
  }
  return here
}

function decideFolder({ target, people }: Loading, folder: ForeignFolder) {
  const { createdAt, creator, isArchived } = folder
  const name = cutText(folder.name, FOLDER_NAME_LENGTH_MAX)
  const description = cutText(folder.description, FOLDER_DESCRIPTION_LENGTH_MAX)
  return (scope: ServerScope): Decision<FolderId> => {
    const there = scope.state.folders.find((one) => foldCase(one.name) === foldCase(name))
    if (there?.isArchived === isArchived) return answering(there.id, [])
    const made: ChannelFolder = {
      id: scope.state.nextFolderId,
      name,
      description,
      renderedDescription: description === '' ? '' : renderMarkdown(description),
      createdAt: Math.min(Math.floor(createdAt ?? scope.now), scope.now),
      creatorId: (creator === undefined ? undefined : people.find(creator)) ?? null,
      isArchived,
    }
    checkNewFolder(scopeFor(scope, target.owner.id), name)
    return answering(made.id, [{ type: 'channel_folder/add', folder: made }])
  }
}

/** All that a legal hold holds: messages and files that are there, and those that were deleted while it held them. */

import { readHeldFiles } from '../../../db/holds/kept-files.ts'
import { readHeldMessages, readKeptMessages } from '../../../db/holds/kept-messages.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import type { FileStore } from '../../files/file-store.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { viewHold } from '../../views/hold-view.ts'
import { addFiles } from './add-files.ts'
import type { ExportScope, HoldContents } from './export-scope.ts'
import { exportChannel, exportFile, exportMessage, exportUser } from './export-views.ts'
import type { ZipWriter } from './zip-writer.ts'

/** The parts of an archive of a hold that is being written. */
interface HoldWriting {
  readonly state: OrganizationState
  readonly scope: ExportScope
  readonly fileStore: FileStore
  readonly signal: AbortSignal | undefined
}

/** Writes people, channels, messages and files; resolves with their numbers, and the hold. */
export async function writeHold(
  zip: ZipWriter,
  sql: Sql,
  { state, scope, fileStore, signal }: HoldWriting,
  { hold: holdId }: HoldContents,
) {
  const hold = state.holds.find(({ id }) => id === holdId)
  if (!hold) throw new Error(`the hold ${holdId} was lifted meanwhile`)
  const users = [...state.users.values()]
  const channels = [...state.channels.values()]
  await zip.addLines(
    'users',
    users.map((user) => exportUser(user, state, scope)),
  )
  await zip.addLines(
    'channels',
    channels.map((channel) => exportChannel(channel, scope)),
  )
  const messages = await zip.addLines('messages', present())
  const kept = await zip.addLines('kept_messages', deleted())
  const files = readHeldFiles(sql, holdId)
  const { added, missing, names } = await addFiles(
    zip,
    files,
    (file) => ({ ...exportFile(file), is_removed: file.isRemoved }),
    fileStore,
  )
  return {
    users: users.length,
    channels: channels.length,
    messages,
    kept_messages: kept,
    files: added,
    missing_files: missing,
    names,
    subject: { hold: viewHold(hold, kept) },
  }

  async function* present(): AsyncGenerator<object> {
    for await (const message of readHeldMessages(sql, holdId)) {
      signal?.throwIfAborted()
      yield exportMessage(message, scope)
    }
  }

  async function* deleted(): AsyncGenerator<object> {
    for await (const { message, deletedAt } of readKeptMessages(sql, holdId)) {
      signal?.throwIfAborted()
      yield { ...exportMessage(message, scope), deleted_at: deletedAt }
    }
  }
}

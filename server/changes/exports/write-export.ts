/** Writes an export: the lists of the organization from the state, and messages and files from the database. */

import {
  type MessageScope,
  readChannelsOfSender,
  readExportedFiles,
  readExportedMarks,
  readExportedMessages,
  readLastMessageId,
} from '../../../db/exports/exported-messages.ts'
import { type ExportSnapshot, openExportSnapshot } from '../../../db/exports/export-snapshot.ts'
import { readLogName } from '../../../db/log/event-log.ts'
import { findPicture } from '../../../db/files/pictures.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import { MESSAGE_FLAGS } from '../../domain/messages/message-flags.ts'
import { keyOfPath } from '../../domain/files/uploads.ts'
import type { UserId } from '../../domain/ids.ts'
import type { FileStore } from '../../files/file-store.ts'
import { loadStateOf } from '../../state/load-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { addFiles } from './add-files.ts'
import {
  exportLeftChannel,
  exportOther,
  exportOwnChannel,
  exportPersonal,
  exportUnread,
  readOwnLists,
} from './export-person.ts'
import {
  type ExportContents,
  type ExportScope,
  findExportScope,
  nameOfContents,
  type PersonContents,
} from './export-scope.ts'
import {
  exportChannel,
  exportEmoji,
  exportFile,
  exportFolder,
  exportGroup,
  exportMessage,
  exportPermissions,
  exportUser,
  exportUserTopics,
  inSnakeCase,
} from './export-views.ts'
import { writeHold } from './write-hold.ts'
import { ZipWriter } from './zip-writer.ts'

/** The version of the form: readers refuse a later one. */
const EXPORT_VERSION = 1
const EXPORT_FORMAT = 'parley-export'
/** The entry that says what the archive is. It comes last, with the counts. */
const EXPORT_HEAD = 'export.json'

/** An export to write. */
export interface ExportRequest {
  readonly databaseUrl: string
  readonly fileStore: FileStore
  readonly contents: ExportContents
  /** The time of the archive. */
  readonly now: Date
  /** Aborts when the process ends. */
  readonly signal?: AbortSignal
  /** Called with the part of the messages that is written, from 0 to 1. */
  readonly onProgress?: (part: number) => void
}

/** The numbers of what was written. */
export interface ExportCounts {
  readonly users: number
  readonly channels: number
  readonly messages: number
  /** Of a legal hold: deleted messages that it keeps, besides the others. */
  readonly kept_messages?: number
  readonly files: number
  /** Files that the store does not have. */
  readonly missing_files: number
}

/** Takes the bytes of an archive, and resolves when they are stored. */
export type TakeArchive = (bytes: AsyncIterable<Uint8Array>) => Promise<number>

/** Writes an export, and resolves with its size and its counts. */
export async function writeExport(
  request: ExportRequest,
  take: TakeArchive,
): Promise<{ readonly bytes: number; readonly counts: ExportCounts }> {
  const snapshot = await openExportSnapshot(request.databaseUrl)
  const zip = new ZipWriter(request.now)
  const abort = () => zip.fail(request.signal?.reason)
  request.signal?.addEventListener('abort', abort)
  try {
    request.signal?.throwIfAborted()
    const taken = take(zip.output as AsyncIterable<Uint8Array>)
    taken.catch((error: unknown) => zip.fail(error))
    try {
      const counts = await writeAll(zip, snapshot, request)
      zip.end()
      return { bytes: await taken, counts }
    } catch (error) {
      zip.fail(error)
      await taken.catch(() => undefined) // It fails for the same reason.
      throw error
    }
  } finally {
    request.signal?.removeEventListener('abort', abort)
    await snapshot.close()
  }
}

async function writeAll(
  zip: ZipWriter,
  { tx }: ExportSnapshot,
  request: ExportRequest,
): Promise<ExportCounts> {
  const state = await loadStateOf(tx)
  const scope = findExportScope(state, request.contents)
  if (typeof request.contents === 'object') {
    if ('person' in request.contents) return writePerson(zip, tx, { state, scope, request }, request.contents)
    const { fileStore, signal } = request
    const { subject, ...written } = await writeHold(
      zip,
      tx,
      { state, scope, fileStore, signal },
      request.contents,
    )
    return addHead(zip, request, written, { ...subject, organization: { id: await readLogName(tx) } })
  }
  const users = [...state.users.values()]
  const channels = [...state.channels.values()].filter(({ channel }) => scope.channelIds.has(channel.id))
  await zip.addLines(
    'users',
    users.map((user) => exportUser(user, state, scope)),
  )
  await zip.addLines('groups', [...state.groups.groups.values()].map(exportGroup))
  await zip.addLines('folders', state.folders.map(exportFolder))
  await zip.addLines(
    'channels',
    channels.map((channel) => exportChannel(channel, scope)),
  )
  await zip.addLines('emoji', state.emoji.map(exportEmoji))
  await zip.addLines('user_topics', exportUserTopics(state, scope))
  if (scope.contents === 'everything')
    await zip.addLines('personal', exportPersonal(tx, state, scope.userIds))
  await zip.addLines('unread', exportUnread(tx, state, scope))
  await addPictures(zip, tx, state)
  const written = await addMessages(zip, tx, scope, request)
  return addHead(
    zip,
    request,
    { users: users.length, channels: channels.length, ...written },
    {
      organization: describeOrganization(state, await readLogName(tx)),
    },
  )
}

/** The parts of an export that is being written. */
interface Writing {
  readonly state: OrganizationState
  readonly scope: ExportScope
  readonly request: ExportRequest
}

/** One person's own data. */
async function writePerson(
  zip: ZipWriter,
  sql: Sql,
  { state, scope: narrow, request }: Writing,
  { person }: PersonContents,
): Promise<ExportCounts> {
  const user = state.getUser(person)
  const writtenTo = await readChannelsOfSender(sql, person)
  const readable = writtenTo.filter((id) => state.findReadableChannel(user, id))
  const scope = { ...narrow, channelIds: new Set([...narrow.channelIds, ...readable]) }
  const others = [...state.users.values()].filter(
    ({ id }) => id !== person && state.userVisibility.knows(person, id),
  )
  const channels = [...new Set([...narrow.channelIds, ...writtenTo])].map((id) =>
    scope.channelIds.has(id) ? exportOwnChannel(state.getChannel(id), person) : exportLeftChannel(id),
  )
  await zip.addLines('users', [exportUser(user, state, scope), ...others.map(exportOther)])
  await zip.addLines('channels', channels)
  await zip.addLines('user_topics', exportUserTopics(state, scope))
  await zip.addLines('unread', exportUnread(sql, state, scope))
  const own = await readOwnLists(sql, state, person)
  await zip.addBytes('own.json', Buffer.from(`${JSON.stringify(own, null, 2)}\n`))
  await addAvatar(zip, sql, state, person)
  const written = await addMessages(zip, sql, scope, request)
  return addHead(
    zip,
    request,
    { users: 1 + others.length, channels: channels.length, ...written },
    { person },
  )
}

/** Messages, marks and files. */
async function addMessages(zip: ZipWriter, sql: Sql, scope: ExportScope, request: ExportRequest) {
  const messages = await zip.addLines('messages', exportedMessages(sql, scope, request))
  await zip.addLines('marks', exportedMarks(sql, scope.messages))
  const { added, missing, names } = await addFiles(zip, filesOf(sql, scope), exportFile, request.fileStore)
  return { messages, files: added, missing_files: missing, names }
}

/** Ends an export: the entry that says what it is. */
async function addHead(
  zip: ZipWriter,
  { contents, now }: ExportRequest,
  { names, ...counts }: ExportCounts & { readonly names: readonly string[] },
  subject: object,
): Promise<ExportCounts> {
  const head = {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    contents: nameOfContents(contents),
    created_at: Math.floor(now.getTime() / 1000),
    ...subject,
    counts,
    ...(names.length > 0 ? { missing: names } : {}),
  }
  await zip.addBytes(EXPORT_HEAD, Buffer.from(`${JSON.stringify(head, null, 2)}\n`))
  return counts
}

function describeOrganization(state: OrganizationState, id: string): object {
  const { organization } = state
  if (!organization) return { id }
  const { name, description, createdAt, settings, permissions } = organization
  return {
    id,
    name,
    description,
    created_at: createdAt,
    settings: inSnakeCase(settings),
    permissions: exportPermissions(permissions),
    default_channel_ids: state.defaultChannelIds,
    default_channel_groups: state.channelGroups.entries.map(inSnakeCase),
    default_user_settings: inSnakeCase(state.newUserSettings),
    email_domains: state.emailDomains.map(inSnakeCase),
    profile_fields: state.profileFields.map(inSnakeCase),
    linkifiers: state.linkifiers.entries.map(inSnakeCase),
    playgrounds: state.playgrounds.entries.map(inSnakeCase),
  }
}

/** Avatars and custom emoji. */
async function addPictures(zip: ZipWriter, sql: Sql, state: OrganizationState): Promise<void> {
  for (const userId of state.avatars.keys()) await addAvatar(zip, sql, state, userId)
  for (const { id, pictureId, isAnimated } of state.emoji) {
    const found = await findPicture(sql, pictureId, 'emoji')
    if (found) await zip.addBytes(`emoji/${id}.${isAnimated ? 'webp' : 'png'}`, Buffer.from(found.bytes))
  }
}

async function addAvatar(zip: ZipWriter, sql: Sql, state: OrganizationState, userId: UserId): Promise<void> {
  const pictureId = state.avatars.get(userId)
  const found = pictureId === undefined ? undefined : await findPicture(sql, pictureId, 'avatar-medium')
  if (found) await zip.addBytes(`avatars/${userId}.png`, Buffer.from(found.bytes))
}

async function* exportedMessages(
  sql: Sql,
  scope: ExportScope,
  { signal, onProgress }: ExportRequest,
): AsyncGenerator<object> {
  const last = await readLastMessageId(sql)
  let written = 0
  for await (const message of readExportedMessages(sql, scope.messages)) {
    yield exportMessage(message, scope)
    written++
    if (written % 1_000 !== 0) continue
    signal?.throwIfAborted()
    onProgress?.(message.id / last)
  }
}

async function* exportedMarks(sql: Sql, scope: MessageScope): AsyncGenerator<object> {
  for await (const { userId, messageId, flags } of readExportedMarks(sql, scope))
    yield {
      user_id: userId,
      message_id: messageId,
      is_starred: (flags & MESSAGE_FLAGS.starred) > 0,
      is_collapsed: (flags & MESSAGE_FLAGS.collapsed) > 0,
    }
}

/** The files of a scope, with their keys; with everything also those that no message links, and with one person their own. */
async function* filesOf(sql: Sql, { contents, messages }: ExportScope) {
  const owners =
    contents === 'everything'
      ? undefined
      : typeof contents === 'object' && 'person' in contents
        ? [contents.person]
        : []
  for await (const file of readExportedFiles(sql, messages, owners))
    yield { ...file, key: keyOfPath(file.path) }
}

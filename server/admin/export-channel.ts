/** `export FILE --channel NAME`: a channel as pages that open without a server, with its pictures and files beside them. */

import { readExportedFiles } from '../../db/exports/exported-messages.ts'
import { openExportSnapshot } from '../../db/exports/export-snapshot.ts'
import { readExportedTopics, readTopicMessages } from '../../db/exports/exported-topics.ts'
import { findPicture } from '../../db/files/pictures.ts'
import type { Sql } from '../../db/connection/connect.ts'
import type { Message } from '../domain/entities.ts'
import { keyOfPath, type Upload } from '../domain/files/uploads.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { ChangeRefused } from '../errors/change-refused.ts'
import type { FileStore } from '../files/file-store.ts'
import { loadStateOf } from '../state/load-state.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { TakeArchive } from '../changes/exports/write-export.ts'
import { ZipWriter } from '../changes/exports/zip-writer.ts'
import { drawIndex, drawTopic, type PageLinks } from './channel-pages.ts'

/** Messages on one page: browsers open it at once. */
const PAGE_MESSAGES = 500
/** Endings of files that a browser would run from the disk. */
const ACTIVE = /\.(?:x?html?|svgz?|xml|xht|mht(?:ml)?|js|mjs|hta|shtml)$/i

/** The parts of the command. */
export interface ChannelExport {
  readonly databaseUrl: string
  readonly fileStore: FileStore
  readonly channel: string
  readonly publicUrl: string
  readonly take: TakeArchive
}

/** Writes the zip, and resolves with its counts. */
export async function exportChannel({
  databaseUrl,
  fileStore,
  channel: name,
  publicUrl,
  take,
}: ChannelExport) {
  const snapshot = await openExportSnapshot(databaseUrl)
  try {
    const { tx } = snapshot
    const state = await loadStateOf(tx)
    const found = state.findChannelByName(name)
    if (!found) throw new ChangeRefused(`there is no channel ${name}`)
    const zip = new ZipWriter(new Date())
    const taken = take(zip.output as AsyncIterable<Uint8Array>)
    taken.catch((error: unknown) => zip.fail(error))
    try {
      const files = await addFiles(zip, tx, fileStore, found.channel.id)
      const emoji = await addEmoji(zip, tx, state)
      const links: PageLinks = {
        publicUrl,
        file: (path) => files.get(path),
        emoji: (pictureId) => emoji.get(pictureId),
        name: (userId) => state.users.get(userId as UserId)?.fullName ?? 'Unknown user',
      }
      const counts = await addTopics(zip, tx, found.channel, links)
      zip.end()
      return { channel: found.channel.name, bytes: await taken, files: files.size, ...counts }
    } catch (error) {
      zip.fail(error)
      await taken.catch(() => undefined) // It fails for the same reason.
      throw error
    }
  } finally {
    await snapshot.close()
  }
}

/** The files of the channel's messages; returns their addresses by their paths. */
async function addFiles(zip: ZipWriter, sql: Sql, fileStore: FileStore, channelId: ChannelId) {
  const addresses = new Map<string, string>()
  const scope = { channelIds: [channelId], receivedChannelIds: [], userIds: [], senderIds: [] }
  for await (const file of readExportedFiles(sql, scope, [])) {
    const key = keyOfPath(file.path)
    if ((await fileStore.size(key)) !== file.size) continue
    const name = `files/${file.id}-${safeName(file)}`
    await zip.addFile(name, file.size, () => fileStore.open(key))
    addresses.set(file.path, `../${name}`)
  }
  return addresses
}

/** A name that is safe in every folder and in an address, and that no browser runs. */
function safeName({ name }: Pick<Upload, 'name'>): string {
  const plain = name.replaceAll(/[^\w.-]+/g, '_').slice(-80)
  return ACTIVE.test(plain) ? `${plain}.txt` : plain
}

/** Custom emoji; returns their addresses by the ids of their pictures. */
async function addEmoji(zip: ZipWriter, sql: Sql, state: OrganizationState) {
  const addresses = new Map<string, string>()
  for (const { id, pictureId, isAnimated } of state.emoji) {
    const picture = await findPicture(sql, pictureId, 'emoji')
    if (!picture) continue
    const name = `emoji/${id}.${isAnimated ? 'webp' : 'png'}`
    await zip.addBytes(name, Buffer.from(picture.bytes))
    addresses.set(pictureId, `../${name}`)
  }
  return addresses
}

/** The pages of all topics, then the list of them. */
async function addTopics(
  zip: ZipWriter,
  sql: Sql,
  channel: { readonly id: ChannelId; readonly name: string; readonly description: string },
  links: PageLinks,
) {
  const topics = (await readExportedTopics(sql, channel.id)).map((one, index) => ({
    ...one,
    page: `topics/${index + 1}.html`,
  }))
  let messages = 0
  for (const { topic, messages: count, page } of topics) {
    const pages = Math.max(1, Math.ceil(count / PAGE_MESSAGES))
    const nameOf = (number: number) =>
      page.slice('topics/'.length).replace('.html', number === 1 ? '.html' : `-${number}.html`)
    let number = 1
    let held: Message[] = []
    const flush = async () => {
      const neighbours = {
        before: number > 1 ? nameOf(number - 1) : undefined,
        after: number < pages ? nameOf(number + 1) : undefined,
      }
      const text = drawTopic({ channel: channel.name, topic, ...neighbours }, held, links)
      await zip.addBytes(`topics/${nameOf(number)}`, Buffer.from(text))
      messages += held.length
      number++
      held = []
    }
    for await (const message of readTopicMessages(sql, channel.id, topic)) {
      held.push(message)
      if (held.length >= PAGE_MESSAGES) await flush()
    }
    if (held.length > 0) await flush()
  }
  await zip.addBytes('index.html', Buffer.from(drawIndex(channel, topics)))
  return { topics: topics.length, messages }
}

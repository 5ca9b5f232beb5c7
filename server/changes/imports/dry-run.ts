/**
 * `import PRODUCT FILE --dry-run`: reads the whole archive, and says what would come over. It needs no organization; with
 * one it also says what of its names is taken there.
 */

import { findReactionEmoji } from './emoji-names.ts'
import type { ImportWatch } from './import-watch.ts'
import type { ForeignMessage, ForeignSource, Names } from './records.ts'
import type { Report } from './report.ts'
import { type ImportRequest, type ImportResult, withSource } from './run-import.ts'
import { textsOf } from './message-texts.ts'
import { planNames } from './plan-names.ts'
import { planPeople } from './plan-people.ts'
import type { LocalWriter } from '../../actors/local-writer.ts'

/** Messages of a second on two processors, rounded down: `npm run bench -- W22` measures it. */
const MESSAGES_PER_SECOND = 10_000
/** Bytes of one message with its index, as docs/storage.md counts them, and its key and event. */
const MESSAGE_BYTES = 2_600
/** Files of a second, and bytes of them, on two busy processors and a disk: docs/import.md says how that was measured. */
const FILES_PER_SECOND = 50
const FILE_BYTES_PER_SECOND = 50_000_000
const MIB = 1024 * 1024

/** The organization that the archive would come into. */
export type ImportedInto = Pick<LocalWriter, 'sql' | 'state'>

/** The estimates of a dry run. */
interface Estimates {
  readonly estimated_minutes: number
  readonly estimated_disk_mib: number
  /** Of the files that would come out of the archive. */
  readonly file_bytes: number
}

/** Answers the report of an import that does not take place; rejects with an `ImportError` if the archive cannot be read. */
export function planImport(
  request: ImportRequest,
  watch: ImportWatch,
  into?: ImportedInto,
): Promise<ImportResult<Estimates>> {
  return withSource(request, watch, async (source, report, progress) => {
    progress.step = 'people and channels'
    const users = await planPeople(source, report, into)
    const places = countPlaces(source, report)
    await planNames(source, report, request.chosenNames, into)
    progress.step = 'messages'
    const { emoji } = source.lists
    const { isFetching } = request
    const seen: Seen = { users, places, threads: new Set(), last: new Map(), emoji, isFetching }
    for await (const message of source.messages()) {
      progress.rows++
      await countMessage(source, report, message, seen)
    }
    for await (const { size } of source.uploads?.() ?? []) countFile(report, size)
    return estimate(report)
  })
}

function estimate(report: Report): Estimates {
  const messages = report.sum((place) => place.messages)
  const { imported, bytes } = report.files
  const seconds = messages / MESSAGES_PER_SECOND + imported / FILES_PER_SECOND + bytes / FILE_BYTES_PER_SECOND
  return {
    estimated_minutes: Math.ceil(seconds / 60),
    estimated_disk_mib: Math.ceil((messages * MESSAGE_BYTES + bytes) / MIB),
    file_bytes: bytes,
  }
}

function countFile({ files }: Report, size: number): void {
  files.imported++
  files.bytes += size
}

function countPlaces({ lists }: ForeignSource, report: Report): Map<string, string> {
  const labels = new Map<string, string>()
  for (const channel of lists.channels.values()) {
    const place = report.place(channel.label)
    place.kind = channel.isPrivate ? 'private' : 'public'
    place.members = channel.members.length
    report.channels.created++
    if (channel.isArchived) report.channels.archived++
    labels.set(channel.id, channel.label)
  }
  for (const { id, label, members } of lists.conversations.values()) {
    report.place(label).kind = 'direct'
    report.place(label).members = members.length
    labels.set(id, label)
  }
  return labels
}

/** Counts of the records that were read so far. */
interface Seen {
  readonly users: Set<string>
  /** Their labels by their ids. */
  readonly places: ReadonlyMap<string, string>
  readonly threads: Set<string>
  /** The last message of each place: copies follow one another. */
  readonly last: Map<string, ForeignMessage>
  /** The names of custom emoji that come along. */
  readonly emoji: ForeignSource['lists']['emoji']
  readonly isFetching: boolean
}

const NO_NAMES: Names = { mention: () => undefined, channel: () => undefined }

async function countMessage(
  source: ForeignSource,
  report: Report,
  message: ForeignMessage,
  { users, places, threads, last, emoji, isFetching }: Seen,
): Promise<void> {
  const label = places.get(message.place)
  if (label === undefined)
    return report.lose({
      place: message.place,
      reason: 'a message in no listed channel',
      example: message.key,
    })
  const place = report.place(label)
  const before = last.get(message.place)
  last.set(message.place, message)
  if (before?.key === message.key && before.text === message.text)
    return report.lose({ place: label, reason: 'a message that is there twice', example: message.key })
  if (textsOf(source, message, NO_NAMES).length === 0)
    return report.lose({ place: label, reason: 'an empty message', example: message.key })
  if (!users.has(message.sender)) {
    users.add(message.sender)
    report.users.placeholders++
  }
  place.messages++
  for (const { path, address } of message.files) {
    const entry = path === undefined ? undefined : await source.files.open(path)
    // Nobody knows the size of a file that is only linked.
    if (entry || (isFetching && address !== undefined)) countFile(report, entry?.size ?? 0)
    else place.files_as_links++
  }
  if (
    message.thread !== undefined &&
    place.kind !== 'direct' &&
    !threads.has(`${message.place}/${message.thread}`)
  ) {
    threads.add(`${message.place}/${message.thread}`)
    place.topics++
  }
  for (const reaction of message.reactions) {
    const { name, users: reactors } = reaction
    if (reaction.own?.type === 'realm_emoji' || emoji.has(name) || findReactionEmoji(reaction, []))
      place.reactions += reactors.length
    else
      report.lose({
        place: label,
        reason: 'a reaction with an unknown emoji',
        example: `:${name}: on ${message.key}`,
      })
  }
}

/** Reads Mattermost's bulk export: lines of JSON, mostly in a zip. Lists are read first, and the posts in a second pass. */

import { basename, dirname } from 'node:path'
import { isEmailAddress } from '../../../domain/users/email-addresses.ts'
import { type Fields, firstText, toFields, toList, toPositive, toText, toTexts } from '../fields.ts'
import { type Archive, type ArchiveEntry, openEntry } from '../archive.ts'
import { FolderArchive } from '../folder-archive.ts'
import { readJsonLines } from '../json-lines.ts'
import { readPost } from './posts.ts'
import {
  type ForeignChannel,
  type ForeignConversation,
  type ForeignEmoji,
  type ForeignMessage,
  type ForeignSource,
  type ForeignUser,
  ImportError,
  type Loss,
  type Names,
} from '../records.ts'
import { sortMessages, type TimedMessage } from '../sorted-messages.ts'
import { translateMattermost } from './translate.ts'
import { EntryError } from '../zip-archive.ts'
import { openArchive } from '../open-archive.ts'

/** Lines that say nothing of an organization's content. */
const IGNORED = new Set(['version', 'scheme', 'role'])

/** Opens an export, a zip or the lines themselves; what cannot come over goes to `lose`. */
export async function openMattermost(path: string, lose: (loss: Loss) => void): Promise<ForeignSource> {
  // The files lie beside the lines.
  if (path.endsWith('.jsonl')) return open(new FolderArchive(dirname(path)), basename(path), { path, lose })
  return openArchive(path, lose, (archive) => {
    const names = [...archive.names].filter((name) => /^[^/]*\.jsonl$/.test(name))
    if (names[0] === undefined || names.length > 1)
      throw new ImportError(`${path} has ${names.length} .jsonl files: a Mattermost export has one`)
    return open(archive, names[0], { path, lose })
  })
}

async function open(
  archive: Archive,
  name: string,
  { path, lose }: { readonly path: string; readonly lose: (loss: Loss) => void },
) {
  const entry = archive.find(name)
  if (!entry) throw new ImportError(`${path} cannot be opened`)
  const source = new MattermostArchive(archive, entry, lose)
  await source.readLists()
  if (!source.isKnown) throw new ImportError(`${path} has no version line: it is not a Mattermost export`)
  return source
}

class MattermostArchive implements ForeignSource {
  readonly product = 'mattermost'
  readonly origin = 'mattermost'
  isKnown = false
  readonly #archive: Archive
  readonly #lines: ArchiveEntry
  readonly #lose: (loss: Loss) => void
  readonly #users = new Map<string, ForeignUser>()
  readonly #channels = new Map<string, Fields>()
  readonly #members = new Map<string, string[]>()
  readonly #emoji = new Map<string, ForeignEmoji>()
  readonly #conversations = new Map<string, ForeignConversation>()
  /** Losses are reported in the first pass only. */
  #isListed = false

  constructor(archive: Archive, lines: ArchiveEntry, lose: (loss: Loss) => void) {
    this.#archive = archive
    this.#lines = lines
    this.#lose = lose
  }

  async readLists(): Promise<void> {
    for await (const line of this.#readLines()) this.#noteLine(line)
    this.#isListed = true
  }

  async *users(): AsyncGenerator<ForeignUser> {
    yield* this.#users.values()
  }

  async *channels(): AsyncGenerator<ForeignChannel> {
    for (const [id, fields] of this.#channels) {
      yield {
        id,
        label: id,
        name: firstText(fields['display_name'], fields['name']),
        description: [firstText(fields['purpose']), firstText(fields['header'])].filter(Boolean).join('\n\n'),
        isPrivate: fields['type'] === 'P',
        isArchived: toPositive(fields['deleted_at'] ?? fields['delete_at']) !== undefined,
        createdAt: undefined,
        creator: undefined,
        members: this.#members.get(id) ?? [],
      }
    }
  }

  async *conversations(): AsyncGenerator<ForeignConversation> {
    yield* this.#conversations.values()
  }

  messages(): AsyncGenerator<ForeignMessage> {
    return sortMessages(this.#posts())
  }

  async *emoji(): AsyncGenerator<ForeignEmoji> {
    yield* this.#emoji.values()
  }

  /** Some exports have the files below `data`, some beside it, whatever the lines say. */
  open(path: string) {
    const plain = path.replace(/^(?:\.?\/)*(?:data\/)?/, '')
    return openEntry(this.#archive, `data/${plain}`) ?? openEntry(this.#archive, plain)
  }

  close(): Promise<void> {
    return this.#archive.close()
  }

  translate(message: ForeignMessage, names: Names): string {
    return translateMattermost(message.text, names, message.place.slice(0, message.place.indexOf('/') + 1))
  }

  async *#posts(): AsyncGenerator<TimedMessage> {
    for await (const line of this.#readLines()) {
      const type = toText(line['type'])
      if (type !== 'post' && type !== 'direct_post') continue
      const fields = toFields(line[type])
      const place = type === 'post' ? channelId(fields) : directId(toTexts(fields['channel_members']))
      for (const read of readPost(fields, place)) {
        if (!('left' in read)) yield read
        else this.#lose({ place, reason: read.left, example: read.example })
      }
    }
  }

  async *#readLines(): AsyncGenerator<Fields> {
    const lose = (line: number, reason: string) => {
      if (!this.#isListed) this.#lose({ place: undefined, reason, example: `line ${line}` })
    }
    try {
      for await (const value of readJsonLines(this.#archive.stream(this.#lines), lose)) yield toFields(value)
    } catch (error) {
      if (!(error instanceof EntryError)) throw error
      if (!this.#isListed)
        this.#lose({
          place: undefined,
          reason: 'the rest of the file, which is damaged',
          example: error.message,
        })
    }
  }

  #noteLine(line: Fields): void {
    const type = toText(line['type'])
    const fields = toFields(line[type])
    switch (type) {
      case 'version':
        this.isKnown = true
        return
      case 'user':
        return this.#noteUser(fields)
      case 'bot':
        return this.#noteBot(fields)
      case 'channel':
        this.#channels.set(channelId(fields), fields)
        return
      case 'direct_channel':
      case 'direct_post':
        return this.#noteConversation(fields)
      case 'emoji':
        return this.#noteEmoji(fields)
      case 'team':
      case 'post':
        return
    }
    if (!IGNORED.has(type))
      this.#lose({ place: undefined, reason: 'a line of an unknown kind', example: type || 'no type' })
  }

  #noteEmoji(fields: Fields): void {
    const name = toText(fields['name'])
    this.#emoji.set(name, { name, author: '', picture: { path: toText(fields['image']) } })
  }

  #noteUser(fields: Fields): void {
    const id = toText(fields['username'])
    if (id === '') return this.#lose({ place: undefined, reason: 'a user without a name', example: 'user' })
    const email = toText(fields['email']).trim()
    const picture = toText(fields['profile_image'])
    const fullName = `${toText(fields['first_name'])} ${toText(fields['last_name'])}`
    this.#users.set(id, {
      id,
      name: firstText(fullName, fields['nickname'], id),
      email: isEmailAddress(email) ? email : undefined,
      kind: /\bsystem_guest\b/.test(toText(fields['roles'])) ? 'guest' : 'member',
      role: /\bsystem_admin\b/.test(toText(fields['roles'])) ? 'administrator' : undefined,
      isActive: toPositive(fields['delete_at']) === undefined,
      timezone: firstText(
        toFields(fields['timezone'])['manualTimezone'],
        toFields(fields['timezone'])['automaticTimezone'],
      ),
      ...(picture === '' ? {} : { avatar: { path: picture } }),
    })
    for (const one of toList(fields['teams'])) {
      const team = toFields(one)
      for (const channel of toList(team['channels'])) {
        const place = `${toText(team['name'])}/${toText(toFields(channel)['name'])}`
        const members = this.#members.get(place)
        if (members) members.push(id)
        else this.#members.set(place, [id])
      }
    }
  }

  #noteBot(fields: Fields): void {
    const id = toText(fields['username'])
    if (id === '') return this.#lose({ place: undefined, reason: 'a user without a name', example: 'bot' })
    const isActive = toPositive(fields['delete_at']) === undefined
    const name = firstText(fields['display_name'], id)
    this.#users.set(id, { id, name, email: undefined, kind: 'bot', isActive, timezone: '' })
  }

  /** Posts have their members, too: not every export has a line for each conversation. */
  #noteConversation(fields: Fields): void {
    const participants = toList(fields['participants']).map((one) => toText(toFields(one)['username']))
    const members = [...toTexts(fields['members']), ...toTexts(fields['channel_members']), ...participants]
    const names = [...new Set(members.filter(Boolean))]
    const id = directId(names)
    if (names.length === 0) this.#lose({ place: undefined, reason: 'a conversation of nobody', example: id })
    else if (!this.#conversations.has(id)) this.#conversations.set(id, { id, label: id, members: names })
  }
}

const channelId = (fields: Fields) =>
  `${toText(fields['team'])}/${toText(fields['name']) || toText(fields['channel'])}`
const directId = (members: readonly string[]) => `direct: ${[...new Set(members)].sort().join(', ')}`

/**
 * Reads what DiscordChatExporter writes as JSON: a file for each channel or thread, in a folder or a zip. Discord says
 * neither who may read a channel nor an address of anybody.
 */

import { basename, dirname } from 'node:path'
import { type Archive, type ArchiveEntry, openEntry } from '../archive.ts'
import { type Fields, firstText, toFields, toList, toText } from '../fields.ts'
import { FolderArchive } from '../folder-archive.ts'
import { readJsonParts } from '../json-parts.ts'
import { openArchive } from '../open-archive.ts'
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
import { EntryError } from '../zip-archive.ts'
import { bytesOf, customEmojiOf, nameOf, readDiscordMessage } from './messages.ts'
import { translateDiscord } from './translate.ts'

/** Opens an export; what cannot come over goes to `lose`. */
export function openDiscord(path: string, lose: (loss: Loss) => void): Promise<ForeignSource> {
  const read = async (archive: Archive, names: Iterable<string>) => {
    const source = new DiscordArchive(archive, lose)
    await source.readLists(names)
    if (source.isEmpty)
      throw new ImportError(`${path} has no channel: it is not an export of DiscordChatExporter in JSON`)
    return source
  }
  if (path.endsWith('.json')) return read(new FolderArchive(dirname(path)), [basename(path)])
  return openArchive(path, lose, (archive) =>
    read(
      archive,
      [...archive.names].filter((name) => name.endsWith('.json') && !name.includes('_Files/')),
    ),
  )
}

/** A channel file. */
interface ChannelFile {
  readonly entry: ArchiveEntry
  readonly base: string
  readonly place: string
  /** The name of the thread; empty outside of threads. */
  readonly topic: string
}

class DiscordArchive implements ForeignSource {
  readonly product = 'discord'
  /** Discord's ids are unique among all servers. */
  readonly origin = 'discord'
  readonly #archive: Archive
  readonly #lose: (loss: Loss) => void
  readonly #users = new Map<string, ForeignUser>()
  readonly #channels = new Map<string, ForeignChannel>()
  readonly #conversations = new Map<string, { readonly name: string; readonly members: Set<string> }>()
  readonly #emoji = new Map<string, ForeignEmoji>()
  readonly #files: ChannelFile[] = []
  /** Losses are reported in the first pass only. */
  #isListed = false

  constructor(archive: Archive, lose: (loss: Loss) => void) {
    this.#archive = archive
    this.#lose = lose
  }

  get isEmpty(): boolean {
    return this.#files.length === 0
  }

  async readLists(names: Iterable<string>): Promise<void> {
    for (const name of names) {
      const entry = this.#archive.find(name)
      if (entry) await this.#readFile(entry)
    }
    for (const [id, { name, members }] of this.#conversations) {
      if (members.size !== 1) continue
      // The partner of a conversation in which only one person wrote.
      const partner = `partner/${id}`
      this.#users.set(partner, {
        id: partner,
        name,
        email: undefined,
        kind: 'member',
        isActive: false,
        timezone: '',
      })
      members.add(partner)
    }
    this.#isListed = true
  }

  async *users(): AsyncGenerator<ForeignUser> {
    yield* this.#users.values()
  }

  async *channels(): AsyncGenerator<ForeignChannel> {
    yield* this.#channels.values()
  }

  async *conversations(): AsyncGenerator<ForeignConversation> {
    for (const [id, { name, members }] of this.#conversations)
      yield { id, label: name, members: [...members] }
  }

  async *emoji(): AsyncGenerator<ForeignEmoji> {
    yield* this.#emoji.values()
  }

  messages(): AsyncGenerator<ForeignMessage> {
    return sortMessages(this.#readMessages())
  }

  open(path: string) {
    return openEntry(this.#archive, path)
  }

  translate({ text }: ForeignMessage, names: Names): string {
    return translateDiscord(text, names)
  }

  close(): Promise<void> {
    return this.#archive.close()
  }

  /** Notes the channel of a file, and everybody in it. */
  async #readFile(entry: ArchiveEntry): Promise<void> {
    const base = entry.name.slice(0, entry.name.lastIndexOf('/') + 1)
    let file: ChannelFile | undefined
    for await (const { field, value } of this.#parts(entry)) {
      const fields = toFields(value)
      if (field === 'channel' && toText(fields['id']) !== '') {
        file = { entry, base, ...this.#noteChannel(fields) }
        this.#files.push(file)
      } else if (field === 'messages' && file) this.#notePeople(fields, file)
    }
    if (!file)
      this.#lose({ place: undefined, reason: 'a file that is no channel of Discord', example: entry.name })
  }

  async *#readMessages(): AsyncGenerator<TimedMessage> {
    for (const { entry, ...context } of this.#files) {
      const label = this.#channels.get(context.place)?.label ?? this.#conversations.get(context.place)?.name
      for await (const { field, value } of this.#parts(entry)) {
        if (field !== 'messages') continue
        const read = readDiscordMessage(toFields(value), context)
        if (!('left' in read)) yield read
        else this.#lose({ place: label, reason: read.left, example: read.example })
      }
    }
  }

  #noteChannel(fields: Fields): { readonly place: string; readonly topic: string } {
    const id = toText(fields['id'])
    const type = toText(fields['type'])
    const name = firstText(fields['name'], id)
    if (type.startsWith('Direct')) {
      if (!this.#conversations.has(id))
        this.#conversations.set(id, { name: `direct: ${name}`, members: new Set() })
      return { place: id, topic: '' }
    }
    // The exporter has the channel of a thread where it has the category of a channel.
    const parent = type.includes('Thread') ? toText(fields['categoryId']) : ''
    if (parent === '') this.#addChannel(id, name, toText(fields['topic']))
    else if (!this.#channels.has(parent)) this.#addChannel(parent, firstText(fields['category'], parent), '')
    return parent === '' ? { place: id, topic: '' } : { place: parent, topic: name }
  }

  #addChannel(id: string, name: string, description: string): void {
    this.#channels.set(id, {
      id,
      label: name,
      name,
      description,
      isPrivate: true,
      isOfOwner: true,
      isArchived: false,
      createdAt: undefined,
      creator: undefined,
      members: [],
    })
  }

  #notePeople(fields: Fields, { base, place }: ChannelFile): void {
    const people = [fields['author'], ...toList(fields['mentions'])]
    for (const reaction of toList(fields['reactions'])) {
      const { emoji, users, count } = toFields(reaction)
      this.#noteEmoji(toFields(emoji), base)
      people.push(...toList(users))
      if (toList(users).length === 0 && Number(count) > 0)
        this.#lose({
          place: this.#channels.get(place)?.label,
          reason: 'a reaction of people whom the export does not name',
          example: toText(fields['id']),
        })
    }
    for (const emoji of toList(fields['inlineEmojis'])) this.#noteEmoji(toFields(emoji), base)
    for (const one of people) this.#noteUser(toFields(one), base)
    const author = toText(toFields(fields['author'])['id'])
    if (author !== '') this.#conversations.get(place)?.members.add(author)
  }

  #noteUser(fields: Fields, base: string): void {
    const id = toText(fields['id'])
    if (id === '' || this.#users.has(id)) return
    const kind = fields['isBot'] === true ? 'bot' : 'member'
    const name = nameOf(fields) || id
    const avatar = bytesOf(fields['avatarUrl'], base)
    this.#users.set(id, { id, name, email: undefined, kind, isActive: false, timezone: '', avatar })
  }

  #noteEmoji(fields: Fields, base: string): void {
    const name = customEmojiOf(fields)
    if (name === undefined || this.#emoji.has(name)) return
    this.#emoji.set(name, { name, author: '', picture: bytesOf(fields['imageUrl'], base) })
  }

  async *#parts(entry: ArchiveEntry) {
    const lose = (reason: string, example = entry.name) => {
      if (!this.#isListed) this.#lose({ place: undefined, reason, example })
    }
    try {
      yield* readJsonParts(this.#archive.stream(entry), lose)
    } catch (error) {
      if (!(error instanceof EntryError)) throw error
      lose('the rest of a file, which is damaged', `${entry.name}: ${error.message}`)
    }
  }
}

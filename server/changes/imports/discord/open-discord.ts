/**
 * Reads what DiscordChatExporter writes as JSON: a file for each channel or thread, in a folder or a zip. Discord says
 * neither who may read a channel nor an address of anybody.
 */

import { basename, dirname } from 'node:path'
import { type Archive, type ArchiveEntry, filesOf, filterNames } from '../archive.ts'
import { type Fields, firstText, toFields, toList, toText } from '../fields.ts'
import { FolderArchive } from '../folder-archive.ts'
import { JsonEntries } from '../json-entries.ts'
import { Lists } from '../lists.ts'
import { openArchive } from '../open-archive.ts'
import { type ForeignMessage, type ForeignSource, ImportError, type Loss, type Names } from '../records.ts'
import { type ReadMessage, sortMessages } from '../sorted-messages.ts'
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
  return openArchive(path, lose, async (archive) =>
    read(archive, await filterNames(archive, (name) => name.endsWith('.json') && !name.includes('_Files/'))),
  )
}

/** Discord has no address of anybody. */
const NOBODY = { email: '', isActive: false, timezone: '' } as const

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
  readonly lists: Lists
  readonly files
  readonly #entries: JsonEntries
  /** The names of channels of threads: they may have no file of their own. */
  readonly #parents = new Map<string, string>()
  readonly #directs = new Map<string, { readonly name: string; readonly members: Set<string> }>()
  readonly #files: ChannelFile[] = []

  constructor(archive: Archive, lose: (loss: Loss) => void) {
    this.#archive = archive
    this.#lose = lose
    this.lists = new Lists(lose)
    this.files = filesOf(archive)
    this.#entries = new JsonEntries(lose)
  }

  get isEmpty(): boolean {
    return this.#files.length === 0
  }

  async readLists(names: Iterable<string>): Promise<void> {
    for (const name of names) {
      const entry = await this.#archive.find(name)
      if (entry) await this.#readFile(entry)
    }
    for (const [id, name] of this.#parents) this.#addChannel(id, name, '')
    for (const [id, { name, members }] of this.#directs) {
      // The partner of a conversation in which only one person wrote.
      const partner = `partner/${id}`
      if (members.size === 1) this.lists.addUser({ ...NOBODY, id: partner, name, kind: 'member' })
      if (members.size === 1) members.add(partner)
      this.lists.addConversation({ id, label: name, members: [...members] })
    }
    this.#entries.isListed = true
  }

  messages(): AsyncGenerator<ForeignMessage> {
    return sortMessages(this.#readMessages(), this.#lose)
  }

  translate({ text }: Pick<ForeignMessage, 'text'>, names: Names): string {
    return translateDiscord(text, names)
  }

  /** Notes the channel of a file, and everybody in it. */
  async #readFile(entry: ArchiveEntry): Promise<void> {
    const base = entry.name.slice(0, entry.name.lastIndexOf('/') + 1)
    let file: ChannelFile | undefined
    for await (const { field, fields } of this.#entries.parts(entry)) {
      if (field === 'channel' && toText(fields['id']) !== '') {
        file = { entry, base, ...this.#noteChannel(fields) }
        this.#files.push(file)
      } else if (field === 'messages' && file) this.#notePeople(fields, file)
    }
    if (!file)
      this.#lose({ place: undefined, reason: 'a file that is no channel of Discord', example: entry.name })
  }

  async *#readMessages(): AsyncGenerator<ReadMessage> {
    for (const { entry, ...context } of this.#files) {
      for await (const { field, fields } of this.#entries.parts(entry)) {
        if (field !== 'messages') continue
        const read = readDiscordMessage(fields, context)
        yield 'left' in read ? { ...read, place: this.lists.labelOf(context.place) } : read
      }
    }
  }

  #noteChannel(fields: Fields): { readonly place: string; readonly topic: string } {
    const id = toText(fields['id'])
    const type = toText(fields['type'])
    const name = firstText(fields['name'], id)
    if (type.startsWith('Direct')) {
      if (!this.#directs.has(id)) this.#directs.set(id, { name: `direct: ${name}`, members: new Set() })
      return { place: id, topic: '' }
    }
    // The exporter has the channel of a thread where it has the category of a channel.
    const parent = type.includes('Thread') ? toText(fields['categoryId']) : ''
    if (parent === '') this.#addChannel(id, name, toText(fields['topic']))
    else this.#parents.set(parent, firstText(fields['category'], parent))
    return parent === '' ? { place: id, topic: '' } : { place: parent, topic: name }
  }

  /** A channel may have several files. */
  #addChannel(id: string, name: string, description: string): void {
    if (this.lists.channels.has(id)) return
    this.lists.addChannel({
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
          place: this.lists.labelOf(place),
          reason: 'a reaction of people whom the export does not name',
          example: toText(fields['id']),
        })
    }
    for (const emoji of toList(fields['inlineEmojis'])) this.#noteEmoji(toFields(emoji), base)
    for (const one of people) this.#noteUser(toFields(one), base)
    const author = toText(toFields(fields['author'])['id'])
    if (author !== '') this.#directs.get(place)?.members.add(author)
  }

  #noteUser(fields: Fields, base: string): void {
    const id = toText(fields['id'])
    if (id === '' || this.lists.users.has(id)) return
    const kind = fields['isBot'] === true ? 'bot' : 'member'
    const name = nameOf(fields) || id
    const avatar = bytesOf(fields['avatarUrl'], base)
    this.lists.addUser({ ...NOBODY, id, name, kind, avatar })
  }

  #noteEmoji(fields: Fields, base: string): void {
    const name = customEmojiOf(fields)
    if (name === undefined || this.lists.emoji.has(name)) return
    this.lists.emoji.set(name, { name, author: '', picture: bytesOf(fields['imageUrl'], base) })
  }
}

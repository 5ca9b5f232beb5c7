/** Reads a `mongodump` of Rocket.Chat: people, rooms, their members, messages, and files that the database holds. */

import { type Fields, firstText, toFields, toList, toText, toTexts } from '../fields.ts'
import { Lists } from '../lists.ts'
import { type ForeignMessage, type ForeignSource, ImportError, type Loss, type Names } from '../records.ts'
import { type ReadMessage, sortMessages } from '../sorted-messages.ts'
import { BsonError, decodeBson, readBson } from './bson.ts'
import { type Dump, openDump, readBlocks } from './dump.ts'
import { GridFiles } from './grid-files.ts'
import { readRocketMessage, timeOf } from './messages.ts'
import { translateRocketChat } from './translate.ts'

const COLLECTIONS = {
  users: 'users',
  rooms: 'rocketchat_room',
  members: 'rocketchat_subscription',
  messages: 'rocketchat_message',
  emoji: 'rocketchat_custom_emoji',
  emojiFiles: 'custom_emoji.files',
  avatars: 'rocketchat_avatars',
} as const
/** Files in parts, and the start of their names in `open`. */
const BUCKETS = { upload: 'rocketchat_uploads', avatar: 'rocketchat_avatars', emoji: 'custom_emoji' } as const
const WANTED: ReadonlySet<string> = new Set([
  ...Object.values(COLLECTIONS),
  ...Object.values(BUCKETS).map((bucket) => `${bucket}.chunks`),
])

/** Opens a dump; what cannot come over goes to `lose`. */
export async function openRocketChat(path: string, lose: (loss: Loss) => void): Promise<ForeignSource> {
  const source = new RocketDump(await openDump(path, { wanted: WANTED, lose }), lose)
  try {
    await source.readLists(path)
    return source
  } catch (error) {
    await source.close()
    throw error
  }
}

class RocketDump implements ForeignSource {
  readonly product = 'rocket-chat'
  readonly origin = 'rocket-chat'
  readonly #dump: Dump
  readonly #lose: (loss: Loss) => void
  readonly lists: Lists
  readonly files = {
    open: async (path: string) => {
      const slash = path.indexOf('/')
      return this.#files.get(path.slice(0, slash))?.find(path.slice(slash + 1))
    },
    close: () => this.close(),
  }
  readonly #idOfUser = new Map<string, string>()
  readonly #idOfChannel = new Map<string, string>()
  readonly #files = new Map<string, GridFiles>()
  /** Losses are reported in the first pass only. */
  #isListed = false

  constructor(dump: Dump, lose: (loss: Loss) => void) {
    this.#dump = dump
    this.#lose = lose
    this.lists = new Lists(lose)
  }

  async readLists(path: string): Promise<void> {
    if (this.#dump.pathOf(COLLECTIONS.rooms) === undefined)
      throw new ImportError(`${path} has no ${COLLECTIONS.rooms}: it is no dump of Rocket.Chat`)
    for (const [kind, bucket] of Object.entries(BUCKETS)) {
      const lose = (reason: string) =>
        this.#lose({
          place: undefined,
          reason: 'the rest of a collection, which is damaged',
          example: `${bucket}: ${reason}`,
        })
      this.#files.set(kind, await GridFiles.open(this.#dump, bucket, lose))
    }
    const avatarOf = new Map<string, string>()
    for await (const { _id: id, userId } of this.#documents('avatars'))
      avatarOf.set(toText(userId), toText(id))
    for await (const fields of this.#documents('users')) this.#noteUser(fields, avatarOf)
    for await (const fields of this.#documents('members'))
      this.lists.addMember(toText(fields['rid']), toText(toFields(fields['u'])['_id']))
    for await (const fields of this.#documents('rooms')) this.#noteRoom(fields)
    const fileOf = new Map<string, string>()
    for await (const { _id: id, filename } of this.#documents('emojiFiles'))
      fileOf.set(toText(filename), toText(id))
    for await (const fields of this.#documents('emoji')) this.#noteEmoji(fields, fileOf)
    this.#isListed = true
  }

  async close(): Promise<void> {
    for (const files of this.#files.values()) await files.close()
    await this.#dump.close()
  }

  messages(): AsyncGenerator<ForeignMessage> {
    return sortMessages(this.#readMessages(), this.#lose)
  }

  translate({ text }: Pick<ForeignMessage, 'text'>, names: Names): string {
    return translateRocketChat(text, {
      mention: (username) => names.mention(this.#idOfUser.get(username) ?? ''),
      channel: (name) => names.channel(this.#idOfChannel.get(name) ?? ''),
    })
  }

  #noteUser(fields: Fields, avatarOf: ReadonlyMap<string, string>): void {
    const id = toText(fields['_id'])
    const username = toText(fields['username'])
    const type = toText(fields['type'])
    if (username !== '') this.#idOfUser.set(username, id)
    // Programs that came with the server have accounts of kinds of their own.
    if (type !== 'user' && type !== 'bot') return
    const roles = toTexts(fields['roles'])
    const picture = avatarOf.get(id)
    this.lists.addUser({
      id,
      name: firstText(fields['name'], username, id),
      email: toText(toFields(toList(fields['emails'])[0])['address']),
      kind: type === 'bot' || roles.includes('bot') ? 'bot' : roles.includes('guest') ? 'guest' : 'member',
      role: roles.includes('admin') ? 'administrator' : undefined,
      isActive: fields['active'] !== false,
      timezone: '',
      ...(picture === undefined ? {} : { avatar: { path: `avatar/${picture}` } }),
    })
  }

  #noteRoom(fields: Fields): void {
    const id = toText(fields['_id'])
    const type = toText(fields['t'])
    const members = this.lists.membersOf(id)
    if (type === 'd') {
      const named = toTexts(fields['usernames']).map((username) => this.#idOfUser.get(username) ?? username)
      const uids = toTexts(fields['uids'])
      const all = uids.length > 0 ? uids : named.length > 0 ? named : members
      const label = `direct: ${toTexts(fields['usernames']).join(', ') || id}`
      return this.lists.addConversation({ id, label, members: [...new Set(all)] })
    }
    const name = firstText(fields['fname'], fields['name'], id)
    if (type !== 'c' && type !== 'p')
      return this.#lose({ place: name, reason: `a room of another kind (${type})`, example: id })
    const createdAt = timeOf(fields['ts'])
    this.#idOfChannel.set(toText(fields['name']), id)
    this.lists.addChannel({
      id,
      label: name,
      name,
      description: ['description', 'topic', 'announcement']
        .map((key) => firstText(fields[key]))
        .filter(Boolean)
        .join('\n\n'),
      isPrivate: type === 'p',
      isArchived: fields['archived'] === true,
      createdAt: createdAt === undefined ? undefined : Math.floor(createdAt / 1_000),
      creator: toText(toFields(fields['u'])['_id']) || undefined,
      members,
    })
  }

  #noteEmoji(fields: Fields, fileOf: ReadonlyMap<string, string>): void {
    const name = toText(fields['name'])
    const file = `${name}.${toText(fields['extension'])}`
    const id = fileOf.get(file) ?? fileOf.get(encodeURIComponent(file)) ?? file
    this.lists.emoji.set(name, { name, author: '', picture: { path: `emoji/${id}` } })
    for (const alias of toTexts(fields['aliases']))
      this.#lose({ place: undefined, reason: 'another name of a custom emoji', example: `:${alias}:` })
  }

  async *#readMessages(): AsyncGenerator<ReadMessage> {
    for await (const fields of this.#documents('messages')) {
      const read = readRocketMessage(fields, (username) => this.#idOfUser.get(username))
      yield 'left' in read ? { ...read, place: this.lists.labelOf(toText(fields['rid'])) } : read
    }
  }

  /** The documents of a collection; a bad one is reported and skipped. */
  async *#documents(kind: keyof typeof COLLECTIONS): AsyncGenerator<Fields> {
    const path = this.#dump.pathOf(COLLECTIONS[kind])
    if (path === undefined) return
    const lose = (reason: string, error: Error) => {
      if (!this.#isListed || kind === 'messages')
        this.#lose({ place: undefined, reason, example: `${COLLECTIONS[kind]}: ${error.message}` })
    }
    try {
      for await (const { bytes } of readBson(readBlocks(path))) {
        let fields: Fields
        try {
          fields = decodeBson(bytes)
        } catch (error) {
          if (!(error instanceof BsonError)) throw error
          lose('a document that is damaged', error)
          continue
        }
        yield fields
      }
    } catch (error) {
      if (!(error instanceof BsonError)) throw error
      lose('the rest of a collection, which is damaged', error)
    }
  }
}

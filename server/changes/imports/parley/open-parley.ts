/** Reads an export of this server's kind: lists of JSON lines in a zip, and files beside them (`docs/export.md`). */

import { isEmailAddress } from '../../../domain/users/email-addresses.ts'
import { type Fields, firstText, toFields, toList, toPositive, toText } from '../fields.ts'
import { readJsonLines } from '../json-lines.ts'
import {
  type ForeignChannel,
  type ForeignConversation,
  type ForeignEmoji,
  type ForeignGroup,
  type ForeignMessage,
  type ForeignSource,
  type ForeignUpload,
  type ForeignUser,
  ImportError,
  type Loss,
  type Names,
} from '../records.ts'
import { openArchive } from '../open-archive.ts'
import { type Archive, openEntry } from '../archive.ts'
import { EntryError } from '../zip-archive.ts'
import { directPlace, readParleyMessage } from './messages.ts'
import { translateParley } from './translate.ts'

const HEAD = 'export.json'
const VERSION = 1
const BOT_ROLE_MIN = 1
const GUEST_ROLE = 600
/** Characters of the organization's id in keys. */
const ID_LENGTH = 36

/** Opens an export; what cannot come over goes to `lose`. */
export function openParley(path: string, lose: (loss: Loss) => void): Promise<ForeignSource> {
  return openArchive(path, lose, async (zip) => {
    const archive = new ParleyArchive(zip, await readHead(zip, path), lose)
    await archive.readLists()
    return archive
  })
}

/** The id of the organization; throws if the archive is none of this kind, or of a later one. */
async function readHead(zip: Archive, path: string): Promise<string> {
  const entry = zip.find(HEAD)
  if (!entry) throw new ImportError(`${path} has no ${HEAD}: it is not an export of Parley`)
  let head: Fields
  try {
    head = toFields(JSON.parse((await zip.read(entry)).toString('utf8')))
  } catch (error) {
    if (!(error instanceof EntryError) && !(error instanceof SyntaxError)) throw error
    throw new ImportError(`${path}: ${HEAD} cannot be read: ${error.message}`, { cause: error })
  }
  if (head['format'] !== 'parley-export') throw new ImportError(`${path} is not an export of Parley`)
  if (head['contents'] === 'person')
    throw new ImportError(`${path} has the data of one person, which cannot come over`)
  if (head['version'] !== VERSION)
    throw new ImportError(
      `${path} has the version ${String(head['version'])}: this server reads version ${VERSION}`,
    )
  return toText(toFields(head['organization'])['id']).slice(0, ID_LENGTH)
}

/** By the numbers of the API. */
export function roleOf(role: unknown): ForeignUser['role'] {
  return role === 100 ? 'owner' : role === 200 ? 'administrator' : role === 300 ? 'moderator' : undefined
}

class ParleyArchive implements ForeignSource {
  readonly product = 'parley'
  readonly origin: string
  readonly #zip: Archive
  readonly #lose: (loss: Loss) => void
  readonly #users = new Map<string, ForeignUser>()
  /** The ids of users by their names; undefined if several have it. */
  readonly #idOfName = new Map<string, string | undefined>()
  readonly #channels = new Map<string, Fields>()
  readonly #idOfChannel = new Map<string, string>()
  readonly #conversations = new Map<string, ForeignConversation>()
  readonly #pinned = new Set<string>()
  /** The people who starred a message, by its id. */
  readonly #starred = new Map<string, string[]>()
  /** Losses are reported in the first pass only. */
  #isListed = false

  constructor(zip: Archive, organizationId: string, lose: (loss: Loss) => void) {
    this.#zip = zip
    this.#lose = lose
    this.origin = `parley-${organizationId}`
  }

  async readLists(): Promise<void> {
    for await (const fields of this.#lines('users')) this.#noteUser(fields)
    for await (const fields of this.#lines('channels')) {
      const id = String(fields['id'])
      this.#channels.set(id, fields)
      this.#idOfChannel.set(toText(fields['name']).toLowerCase(), id)
      for (const pin of toList(fields['pins'])) this.#pinned.add(String(toFields(pin)['message_id']))
    }
    for await (const fields of this.#lines('messages')) {
      const place = directPlace(fields)
      if (place !== undefined && !this.#conversations.has(place.id)) this.#conversations.set(place.id, place)
    }
    for await (const fields of this.#lines('marks')) this.#noteMark(fields)
    this.#isListed = true
  }

  async *users(): AsyncGenerator<ForeignUser> {
    yield* this.#users.values()
  }

  async *channels(): AsyncGenerator<ForeignChannel> {
    for (const [id, fields] of this.#channels) {
      const name = firstText(fields['name'], id)
      const isPrivate = fields['is_private'] === true
      yield {
        id,
        label: name,
        name,
        description: toText(fields['description']),
        isPrivate,
        isArchived: fields['is_archived'] === true,
        createdAt: toPositive(fields['created_at']),
        creator: typeof fields['creator_id'] === 'number' ? String(fields['creator_id']) : undefined,
        members: toList(fields['subscriber_ids']).map(String),
        isHistoryPublic: !isPrivate || fields['is_history_public'] !== false,
        topicsPolicy: toText(fields['topics_policy']),
      }
    }
  }

  async *conversations(): AsyncGenerator<ForeignConversation> {
    yield* this.#conversations.values()
  }

  async *messages(): AsyncGenerator<ForeignMessage> {
    for await (const fields of this.#lines('messages')) {
      const read = readParleyMessage(fields, this.#pinned)
      if (!('left' in read)) yield { ...read, starredBy: this.#starred.get(read.key) ?? [] }
      else this.#lose({ place: undefined, reason: read.left, example: read.example })
    }
  }

  async *groups(): AsyncGenerator<ForeignGroup> {
    const systemNames = new Map<string, string>()
    for await (const fields of this.#lines('groups'))
      if (fields['is_system_group'] === true) systemNames.set(String(fields['id']), toText(fields['name']))
    for await (const fields of this.#lines('groups')) {
      if (fields['is_system_group'] === true || fields['is_deactivated'] === true) continue
      yield {
        id: String(fields['id']),
        name: toText(fields['name']),
        description: toText(fields['description']),
        members: toList(fields['member_ids']).map(String),
        subgroups: toList(fields['subgroup_ids']).map((id) => systemNames.get(String(id)) ?? String(id)),
      }
    }
  }

  async *emoji(): AsyncGenerator<ForeignEmoji> {
    for await (const fields of this.#lines('emoji')) {
      const entry = this.#zip.find(toText(fields['file']))
      const name = toText(fields['name'])
      if (fields['is_deactivated'] === true) continue
      if (entry) yield { name, author: String(fields['author_id']), picture: { path: entry.name } }
      else this.#lose({ place: undefined, reason: 'a custom emoji without a picture', example: name })
    }
  }

  /** Files that messages of the archive link. */
  async *uploads(): AsyncGenerator<ForeignUpload> {
    for await (const fields of this.#lines('files')) {
      if (toList(fields['message_ids']).length === 0) continue
      const entry = this.#zip.find(toText(fields['file']))
      const path = toText(fields['path'])
      if (!entry || path === '') {
        this.#lose({ place: undefined, reason: 'a file without bytes', example: path })
        continue
      }
      const { size } = entry
      const name = toText(fields['name'])
      yield { path, name, owner: String(fields['owner_id']), size, open: () => this.#zip.stream(entry) }
    }
  }

  open(path: string) {
    return openEntry(this.#zip, path)
  }

  translate({ text }: Pick<ForeignMessage, 'text'>, names: Names): string {
    const channelOf = (name: string) => {
      const id = this.#idOfChannel.get(name.toLowerCase())
      return id === undefined ? undefined : names.channel(id)
    }
    return translateParley(text, {
      mention: (name, id) => {
        const known = id ?? this.#idOfName.get(name)
        return known === undefined ? undefined : names.mention(known)
      },
      channel: channelOf,
      file: (path) => names.file?.(path),
    })
  }

  close(): Promise<void> {
    return this.#zip.close()
  }

  #noteMark(fields: Fields): void {
    if (fields['is_starred'] !== true) return
    const message = String(fields['message_id'])
    const users = this.#starred.get(message)
    if (users) users.push(String(fields['user_id']))
    else this.#starred.set(message, [String(fields['user_id'])])
  }

  #noteUser(fields: Fields): void {
    const id = String(fields['id'])
    const email = toText(fields['email']).trim()
    const name = firstText(fields['full_name'], id)
    const isBot = typeof fields['bot_type'] === 'number' && fields['bot_type'] >= BOT_ROLE_MIN
    this.#idOfName.set(name, this.#idOfName.has(name) ? undefined : id)
    this.#users.set(id, {
      id,
      name,
      email: isEmailAddress(email) ? email : undefined,
      kind:
        isBot || fields['is_system_bot'] === true
          ? 'bot'
          : fields['role'] === GUEST_ROLE
            ? 'guest'
            : 'member',
      role: roleOf(fields['role']),
      isActive: fields['is_active'] !== false && fields['is_system_bot'] !== true,
      timezone: toText(fields['timezone']),
      avatar: { path: toText(fields['avatar']) || undefined },
    })
  }

  /** The records of a list, from all of its parts. */
  async *#lines(list: string): AsyncGenerator<Fields> {
    for (let part = 1; ; part++) {
      const name = `${list}${part > 1 ? `-${part}` : ''}.jsonl`
      const entry = this.#zip.find(name)
      if (!entry) return
      const lose = (line: number, reason: string) => {
        if (!this.#isListed) this.#lose({ place: undefined, reason, example: `${name}, line ${line}` })
      }
      try {
        for await (const value of readJsonLines(this.#zip.stream(entry), lose)) yield toFields(value)
      } catch (error) {
        if (!(error instanceof EntryError)) throw error
        if (!this.#isListed)
          this.#lose({
            place: undefined,
            reason: 'the rest of a list, which is damaged',
            example: `${name}: ${error.message}`,
          })
      }
    }
  }
}

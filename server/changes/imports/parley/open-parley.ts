/** Reads an export of this server's kind: lists of JSON lines in a zip, and files beside them (`docs/export.md`). */

import { type Fields, firstText, toFields, toList, toPositive, toText } from '../fields.ts'
import { JsonEntries } from '../json-entries.ts'
import { Lists } from '../lists.ts'
import {
  type ForeignMessage,
  type ForeignSource,
  type ForeignUpload,
  type ForeignUser,
  ImportError,
  type Loss,
  type Names,
} from '../records.ts'
import { openArchive } from '../open-archive.ts'
import { type Archive, filesOf } from '../archive.ts'
import { EntryError } from '../zip-archive.ts'
import { directPlace, readParleyMessage } from './messages.ts'
import { readPermissions } from './permissions.ts'
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

/** The organization's record; throws if the archive is none of this kind, or of a later one. */
async function readHead(zip: Archive, path: string): Promise<Fields> {
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
  return toFields(head['organization'])
}

/** By the numbers of the API. */
export function roleOf(role: unknown): ForeignUser['role'] {
  return role === 100 ? 'owner' : role === 200 ? 'administrator' : role === 300 ? 'moderator' : undefined
}

/** The id of another record; undefined if there is none. */
const idOf = (value: unknown) => (typeof value === 'number' ? String(value) : undefined)

class ParleyArchive implements ForeignSource {
  readonly product = 'parley'
  readonly origin: string
  readonly #zip: Archive
  readonly #lose: (loss: Loss) => void
  readonly lists: Lists
  readonly files
  readonly #entries: JsonEntries
  /** The names of system groups by their ids. */
  readonly #systemNames = new Map<string, string>()
  readonly #pinned = new Set<string>()
  /** The people who starred a message, by its id. */
  readonly #starred = new Map<string, string[]>()

  constructor(zip: Archive, organization: Fields, lose: (loss: Loss) => void) {
    this.#zip = zip
    this.#lose = lose
    this.lists = new Lists(lose)
    this.files = filesOf(zip)
    this.#entries = new JsonEntries(zip, lose)
    this.origin = `parley-${toText(organization['id']).slice(0, ID_LENGTH)}`
    for (const field of toList(organization['profile_fields'])) this.#noteProfileField(toFields(field))
  }

  async readLists(): Promise<void> {
    for await (const fields of this.#lines('users')) this.#noteUser(fields)
    await this.#noteGroups()
    for await (const fields of this.#lines('folders')) this.#noteFolder(fields)
    for await (const fields of this.#lines('emoji')) this.#noteEmoji(fields)
    for await (const fields of this.#lines('channels')) this.#noteChannel(fields)
    for await (const fields of this.#lines('messages')) {
      const place = directPlace(fields)
      if (place !== undefined) this.lists.addConversation(place)
    }
    for await (const fields of this.#lines('marks')) this.#noteMark(fields)
    this.#entries.isListed = true
  }

  async *messages(): AsyncGenerator<ForeignMessage> {
    for await (const fields of this.#lines('messages')) {
      const read = readParleyMessage(fields, this.#pinned)
      if (!('left' in read)) yield { ...read, starredBy: this.#starred.get(read.key) ?? [] }
      else this.#lose({ place: undefined, reason: read.left, example: read.example })
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

  translate({ text }: Pick<ForeignMessage, 'text'>, names: Names): string {
    return translateParley(text, this.lists.byName(names))
  }

  #noteChannel(fields: Fields): void {
    const id = String(fields['id'])
    const name = firstText(fields['name'], id)
    const isPrivate = fields['is_private'] === true
    for (const pin of toList(fields['pins'])) this.#pinned.add(String(toFields(pin)['message_id']))
    this.lists.addChannel({
      id,
      label: name,
      name,
      description: toText(fields['description']),
      isPrivate,
      isArchived: fields['is_archived'] === true,
      createdAt: toPositive(fields['created_at']),
      creator: idOf(fields['creator_id']),
      members: toList(fields['subscriber_ids']).map(String),
      isHistoryPublic: !isPrivate || fields['is_history_public'] !== false,
      topicsPolicy: toText(fields['topics_policy']),
      permissions: readPermissions(fields['permissions'], this.#systemNames),
      folder: idOf(fields['folder_id']),
    })
  }

  async #noteGroups(): Promise<void> {
    const systemNames = this.#systemNames
    for await (const fields of this.#lines('groups'))
      if (fields['is_system_group'] === true) systemNames.set(String(fields['id']), toText(fields['name']))
    for await (const fields of this.#lines('groups')) {
      if (fields['is_system_group'] === true) continue
      const id = String(fields['id'])
      if (fields['is_deactivated'] === true) {
        this.#lose({ place: undefined, reason: 'a deactivated group', example: toText(fields['name']) })
        continue
      }
      this.lists.groups.set(id, {
        id,
        name: toText(fields['name']),
        description: toText(fields['description']),
        members: toList(fields['member_ids']).map(String),
        subgroups: toList(fields['subgroup_ids']).map((one) => systemNames.get(String(one)) ?? String(one)),
        creator: idOf(fields['creator_id']),
        createdAt: toPositive(fields['created_at']),
        permissions: readPermissions(fields['permissions'], systemNames),
      })
    }
  }

  #noteProfileField(fields: Fields): void {
    const id = String(fields['id'])
    this.lists.profileFields.set(id, {
      id,
      type: Number(fields['type']),
      name: toText(fields['name']),
      hint: toText(fields['hint']),
      data: toFields(fields['data']),
      isInSummary: fields['is_in_summary'] === true,
      isRequired: fields['is_required'] === true,
      isEditable: fields['is_editable'] !== false,
    })
  }

  #noteFolder(fields: Fields): void {
    const id = String(fields['id'])
    this.lists.folders.set(id, {
      id,
      name: toText(fields['name']).trim(),
      description: toText(fields['description']),
      createdAt: toPositive(fields['created_at']),
      creator: idOf(fields['creator_id']),
      isArchived: fields['is_archived'] === true,
    })
  }

  #noteEmoji(fields: Fields): void {
    const entry = this.#zip.find(toText(fields['file']))
    const name = toText(fields['name'])
    if (fields['is_deactivated'] === true) return
    if (!entry) this.#lose({ place: undefined, reason: 'a custom emoji without a picture', example: name })
    else
      this.lists.emoji.set(name, { name, author: String(fields['author_id']), picture: { path: entry.name } })
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
    const isBot = typeof fields['bot_type'] === 'number' && fields['bot_type'] >= BOT_ROLE_MIN
    this.lists.addUser({
      id,
      name: firstText(fields['full_name'], id),
      email: toText(fields['email']),
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
      profile: new Map(
        Object.entries(toFields(fields['profile'])).map(([key, value]) => [key, toText(value)]),
      ),
    })
  }

  /** The records of a list, from all of its parts. */
  async *#lines(list: string): AsyncGenerator<Fields> {
    for (let part = 1; ; part++) {
      const entry = this.#zip.find(`${list}${part > 1 ? `-${part}` : ''}.jsonl`)
      if (!entry) return
      yield* this.#entries.lines(entry)
    }
  }
}

/** Reads an export of this server's kind: lists of JSON lines in a zip, and files beside them (`docs/export.md`). */

import { type Fields, firstText, toFields, toList, toPositive, toText } from '../fields.ts'
import { PAYLOAD_URL_LENGTH_MAX } from '../../../domain/limits.ts'
import { isWebAddress } from '../../../domain/organization/profile-fields.ts'
import { SERVICE_INTERFACES } from '../../../domain/users/bots.ts'
import { JsonEntries } from '../json-entries.ts'
import { Lists } from '../lists.ts'
import {
  type ForeignBot,
  type ForeignMessage,
  type ForeignOrganization,
  type ForeignPin,
  type ForeignSource,
  type ForeignUpload,
  type ForeignUser,
  ImportError,
  type Loss,
  type Names,
} from '../records.ts'
import { openArchive } from '../open-archive.ts'
import { type Archive, filesOf } from '../archive.ts'
import type { ForeignOwn, ForeignUnread } from '../own/records.ts'
import { entriesOf, readExportHead } from './export-parts.ts'
import { directPlace, readParleyMessage } from './messages.ts'
import { readChannelSettings, readPersonal, readStatus, readUnread, readUserTopic } from './own.ts'
import { readPermissions } from './permissions.ts'
import { translateParley } from './translate.ts'

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

/** The record of the archive; throws if the archive is none of this kind, or of a later one. */
async function readHead(zip: Archive, path: string): Promise<Fields> {
  const head = await readExportHead(zip, path)
  if (head['contents'] === 'person')
    throw new ImportError(`${path} has the data of one person, which cannot come over`)
  if (head['contents'] === 'hold')
    throw new ImportError(`${path} has the messages of a legal hold, which cannot come over`)
  if (head['version'] !== VERSION)
    throw new ImportError(
      `${path} has the version ${String(head['version'])}: this server reads version ${VERSION}`,
    )
  return head
}

/** By the numbers of the API. */
export function roleOf(role: unknown): ForeignUser['role'] {
  return role === 100 ? 'owner' : role === 200 ? 'administrator' : role === 300 ? 'moderator' : undefined
}

/** The id of another record; undefined if there is none. */
const idOf = (value: unknown) => (typeof value === 'number' ? String(value) : undefined)

/** The service of a bot, if its address is one of the web. */
export function readService({ url: given, interface: number }: Fields): ForeignBot['service'] {
  const found = Object.values(SERVICE_INTERFACES).find((one) => one === number)
  const url = toText(given)
  return found !== undefined && url.length <= PAYLOAD_URL_LENGTH_MAX && isWebAddress(url)
    ? { url, interface: found }
    : undefined
}

function readPin(fields: Fields): ForeignPin {
  const { message_id: message, topic } = fields
  return {
    ...(typeof message === 'number' ? { message: String(message) } : { topic: toText(topic) }),
    user: idOf(fields['user_id']),
    pinnedAt: toPositive(fields['pinned_at']),
  }
}

class ParleyArchive implements ForeignSource {
  readonly product = 'parley'
  readonly origin: string
  readonly #zip: Archive
  readonly #lose: (loss: Loss) => void
  readonly lists: Lists
  readonly files
  readonly unread
  readonly #head: Fields
  readonly #entries: JsonEntries
  /** The names of system groups by their ids. */
  readonly #systemNames = new Map<string, string>()
  /** The people who starred a message, by its id, and the people who collapsed it. */
  readonly #starred = new Map<string, string[]>()
  readonly #collapsed = new Map<string, string[]>()

  constructor(zip: Archive, head: Fields, lose: (loss: Loss) => void) {
    const organization = toFields(head['organization'])
    this.#head = organization
    this.#zip = zip
    this.#lose = lose
    this.lists = new Lists(lose)
    this.files = filesOf(zip)
    this.#entries = new JsonEntries(lose)
    this.unread = { madeAt: String(head['created_at']), read: () => this.#readUnread() }
    this.origin = `parley-${toText(organization['id']).slice(0, ID_LENGTH)}`
    for (const field of toList(organization['profile_fields'])) this.#noteProfileField(toFields(field))
  }

  async readLists(): Promise<void> {
    for await (const fields of this.#lines('users')) this.#noteUser(fields)
    await this.#noteGroups()
    for await (const fields of this.#lines('folders')) this.#noteFolder(fields)
    for await (const fields of this.#lines('emoji')) await this.#noteEmoji(fields)
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
      const read = readParleyMessage(fields)
      if (!('left' in read))
        yield {
          ...read,
          starredBy: this.#starred.get(read.key) ?? [],
          collapsedBy: this.#collapsed.get(read.key) ?? [],
        }
      else this.#lose({ place: undefined, reason: read.left, example: read.example })
    }
  }

  /** Once the lists are read, which name the groups of permissions. */
  get organization(): ForeignOrganization {
    const head = this.#head
    const listOf = (name: string) => toList(head[name]).map(toFields)
    return {
      fields: head,
      settings: toFields(head['settings']),
      permissions: readPermissions(head['permissions'], this.#systemNames),
      linkifiers: listOf('linkifiers'),
      playgrounds: listOf('playgrounds'),
      emailDomains: listOf('email_domains'),
      defaultUserSettings: toFields(head['default_user_settings']),
      defaultChannels: toList(head['default_channel_ids']).map(String),
    }
  }

  /** Files of messages, and of texts that wait: those have no message yet. */
  async *uploads(): AsyncGenerator<ForeignUpload> {
    for await (const fields of this.#lines('files')) {
      const entry = await this.#zip.find(toText(fields['file']))
      const path = toText(fields['path'])
      if (!entry || path === '') {
        this.#lose({ place: undefined, reason: 'a file without bytes', example: path })
        continue
      }
      const { size } = entry
      const name = toText(fields['name'])
      yield { path, name, owner: String(fields['owner_id']), size, open: () => entry.stream() }
    }
  }

  /** The list of personal data, then the choices of people in the lists of everyone. */
  async *own(): AsyncGenerator<ForeignOwn> {
    for await (const fields of this.#lines('personal')) {
      const read = readPersonal(fields)
      if (read) yield read
      else {
        const example = `${toText(fields['type'])} of ${String(fields['user_id'])}`
        this.#lose({ place: undefined, reason: 'something personal of no known type', example })
      }
    }
    for await (const fields of this.#lines('users')) yield* readStatus(fields)
    for await (const fields of this.#lines('channels')) yield* readChannelSettings(fields)
    for await (const fields of this.#lines('user_topics')) yield readUserTopic(fields)
  }

  async *#readUnread(): AsyncGenerator<ForeignUnread> {
    for await (const fields of this.#lines('unread')) yield readUnread(fields)
  }

  translate({ text }: Pick<ForeignMessage, 'text'>, names: Names): string {
    return translateParley(text, this.lists.byName(names))
  }

  #noteChannel(fields: Fields): void {
    const id = String(fields['id'])
    const name = firstText(fields['name'], id)
    const isPrivate = fields['is_private'] === true
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
      hasLinkPreviews: fields['link_previews'] !== false,
      permissions: readPermissions(fields['permissions'], this.#systemNames),
      folder: idOf(fields['folder_id']),
      retentionDays: typeof fields['retention_days'] === 'number' ? fields['retention_days'] : null,
      pins: toList(fields['pins']).map((one) => readPin(toFields(one))),
    })
  }

  async #noteGroups(): Promise<void> {
    const systemNames = this.#systemNames
    for await (const fields of this.#lines('groups'))
      if (fields['is_system_group'] === true) systemNames.set(String(fields['id']), toText(fields['name']))
    for await (const fields of this.#lines('groups')) {
      if (fields['is_system_group'] === true) continue
      const id = String(fields['id'])
      this.lists.groups.set(id, {
        id,
        name: toText(fields['name']),
        description: toText(fields['description']),
        members: toList(fields['member_ids']).map(String),
        subgroups: toList(fields['subgroup_ids']).map((one) => systemNames.get(String(one)) ?? String(one)),
        creator: idOf(fields['creator_id']),
        createdAt: toPositive(fields['created_at']),
        permissions: readPermissions(fields['permissions'], systemNames),
        isDeactivated: fields['is_deactivated'] === true,
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

  async #noteEmoji(fields: Fields): Promise<void> {
    const entry = await this.#zip.find(toText(fields['file']))
    const name = toText(fields['name'])
    if (fields['is_deactivated'] === true) return
    if (!entry) this.#lose({ place: undefined, reason: 'a custom emoji without a picture', example: name })
    else
      this.lists.emoji.set(name, { name, author: String(fields['author_id']), picture: { path: entry.name } })
  }

  #noteMark(fields: Fields): void {
    const message = String(fields['message_id'])
    for (const [isMarked, marks] of [
      [fields['is_starred'], this.#starred],
      [fields['is_collapsed'], this.#collapsed],
    ] as const) {
      if (isMarked !== true) continue
      const users = marks.get(message)
      if (users) users.push(String(fields['user_id']))
      else marks.set(message, [String(fields['user_id'])])
    }
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
      isSystem: fields['is_system_bot'] === true,
      bot: isBot
        ? {
            type: fields['bot_type'],
            owner: idOf(fields['bot_owner_id']),
            service: readService(toFields(fields['service'])),
          }
        : undefined,
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
    for await (const entry of entriesOf(this.#zip, list)) yield* this.#entries.lines(entry)
  }
}

/**
 * Reads an export of Zulip: a packed tar, or its folder, of one organization's tables as JSON, messages in files of a
 * thousand, and files beside them. Every version is read, as far as its names are known.
 */

import { type Archive, type ArchiveEntry, filesOf, filterNames } from '../archive.ts'
import { type Fields, firstText, toList, toPositive, toText } from '../fields.ts'
import { type EntryPart, JsonEntries } from '../json-entries.ts'
import { Lists } from '../lists.ts'
import { openArchive } from '../open-archive.ts'
import type { ForeignOwn, ForeignUnread } from '../own/records.ts'
import { readService, roleOf } from '../parley/open-parley.ts'
import { translateParley } from '../parley/translate.ts'
import {
  type ForeignBytes,
  type ForeignBot,
  type ForeignMessage,
  type ForeignOrganization,
  type ForeignSource,
  type ForeignUpload,
  ImportError,
  type Loss,
  type Names,
} from '../records.ts'
import { type ReadMessage, sortMessages } from '../sorted-messages.ts'
import { Marks, Unread } from './flags.ts'
import { Groups } from './groups.ts'
import { readZulipMessage } from './messages.ts'
import { Organization } from './organization.ts'
import { OwnLists, type OwnPlaces, readOwn } from './own.ts'
import { Profiles } from './profiles.ts'
import { Reactions } from './reactions.ts'
import { type Place, Recipients } from './recipients.ts'
import { idOf, RowsOf } from './rows.ts'
import { valueOf } from './settings.ts'

const GUEST_ROLE = 600
const PEOPLE = new Set(['zerver_userprofile', 'zerver_userprofile_mirrordummy'])
const [MESSAGES, FLAGS] = ['zerver_message', 'zerver_usermessage']
const SERVER_BOTS = 'zerver_userprofile_crossrealm'

/** Opens an export; what cannot come over goes to `lose`. */
export function openZulip(path: string, lose: (loss: Loss) => void): Promise<ForeignSource> {
  const read = async (archive: Archive) => {
    const realm = await filterNames(archive, (name) => /^(?:[^/]*\/)?realm\.json$/.test(name))
    const entry = realm.length === 1 && realm[0] !== undefined ? await archive.find(realm[0]) : undefined
    if (!entry)
      throw new ImportError(`${path} has ${realm.length} realm.json files: an export of Zulip has one`)
    const source = new ZulipArchive(archive, entry, lose)
    await source.readLists()
    return source
  }
  return openArchive(path, lose, read, 'tar')
}

class ZulipArchive implements ForeignSource {
  readonly product = 'zulip'
  origin = 'zulip'
  readonly #archive: Archive
  readonly #realm: ArchiveEntry
  readonly #base: string
  readonly #lose: (loss: Loss) => void
  readonly lists: Lists
  readonly files
  readonly #entries: JsonEntries
  #files: readonly string[] | undefined
  /** The channels' rows, whose members come later. */
  readonly #channels = new Map<string, Fields>()
  readonly #recipients = new Recipients((recipient) => this.lists.membersOf(recipient))
  readonly #reactions = new Reactions()
  readonly #groups = new Groups()
  readonly #profiles = new Profiles()
  readonly #organization = new Organization()
  readonly #marks = new Marks()
  /** By bots. */
  readonly #services = new RowsOf<ForeignBot['service']>()
  /** The messages of reminders, and where they are. */
  readonly #reminded = new Map<string, string | undefined>()
  /** The newest message, and the last number of presences: two exports differ in one of them. */
  readonly #newest = { message: 0, presence: 0 }

  constructor(archive: Archive, realm: ArchiveEntry, lose: (loss: Loss) => void) {
    this.#archive = archive
    this.#realm = realm
    this.#base = realm.name.slice(0, -'realm.json'.length)
    this.#lose = lose
    this.lists = new Lists(lose)
    this.files = filesOf(archive)
    this.#entries = new JsonEntries(lose)
  }

  async readLists(): Promise<void> {
    const avatars = new Map<string, ForeignBytes>()
    for await (const { fields } of this.#entries.parts(await this.#find('avatars/records.json')))
      this.#noteAvatar(fields, avatars)
    for await (const { field, fields } of this.#entries.parts(this.#realm))
      this.#noteRow(field, fields, avatars)
    for (const group of this.#groups.made()) this.lists.groups.set(group.id, group)
    for (const field of this.#profiles.fields()) this.lists.profileFields.set(field.id, field)
    for (const [id, fields] of this.#channels) this.#noteChannel(id, fields)
    this.#channels.clear()
    for await (const { field, fields } of this.#rows()) {
      if (field === FLAGS) this.#marks.note(fields)
      if (field === MESSAGES) this.#noteMessage(fields)
    }
    this.#entries.isListed = true
  }

  messages(): AsyncGenerator<ForeignMessage> {
    return sortMessages(this.#readMessages(), this.#lose)
  }

  get organization(): ForeignOrganization {
    return this.#organization.read(this.#groups)
  }

  get unread(): NonNullable<ForeignSource['unread']> {
    const { message, presence } = this.#newest
    return { madeAt: `${message}/${presence}`, read: () => this.#readUnread() }
  }

  async *own(): AsyncGenerator<ForeignOwn> {
    const places: OwnPlaces = {
      channel: (recipient) => this.#recipients.channelOf(idOf(recipient)),
      target: (recipient, sender, topic) => {
        const place = this.#recipients.placeOf(idOf(recipient), sender)
        if (place?.isChannel) return { kind: 'channel', channel: place.id, topic }
        if (!place) return undefined
        const others = place.members.filter((user) => user !== sender)
        return { kind: 'direct', users: others.length > 0 ? others : [sender] } // A note to oneself.
      },
      place: (message) => this.#reminded.get(message),
    }
    const lists = new OwnLists()
    for await (const { field, fields } of this.#entries.parts(this.#realm)) {
      lists.note(field, fields)
      yield* readOwn(field, fields, places)
    }
    yield* lists.all()
  }

  /** Files that messages link, also those that are still to be sent. */
  async *uploads(): AsyncGenerator<ForeignUpload> {
    for await (const { field, fields } of this.#entries.parts(await this.#find('attachment.json'))) {
      if (field !== 'zerver_attachment') continue
      const path = toText(fields['path_id'])
      if (toList(fields['messages']).length + toList(fields['scheduled_messages']).length === 0) continue
      const entry = await this.#find(`uploads/${path}`)
      if (!entry) {
        this.#lose({ place: undefined, reason: 'a file without bytes', example: path })
        continue
      }
      const [name, owner] = [firstText(fields['file_name'], path), idOf(fields['owner']) ?? '']
      yield { path, name, owner, size: entry.size, open: () => entry.stream() }
    }
  }

  translate({ text }: Pick<ForeignMessage, 'text'>, names: Names): string {
    return translateParley(text, this.lists.byName(names))
  }

  #noteChannel(id: string, fields: Fields): void {
    const isPrivate = fields['invite_only'] === true
    const name = firstText(fields['name'], id)
    this.lists.addChannel({
      id,
      label: name,
      name,
      description: toText(fields['description']),
      isPrivate,
      isArchived: fields['deactivated'] === true,
      createdAt: toPositive(fields['date_created']),
      creator: idOf(fields['creator']),
      members: this.lists.membersOf(this.#recipients.ofChannel(id) ?? ''),
      isHistoryPublic: !isPrivate || fields['history_public_to_subscribers'] !== false,
      topicsPolicy: toText(valueOf(fields, 'topics_policy')),
      permissions: this.#groups.permissionsOf(fields),
      folder: idOf(fields['folder']),
      retentionDays:
        typeof fields['message_retention_days'] === 'number' ? fields['message_retention_days'] : null,
    })
  }

  #noteRow(table: string, fields: Fields, avatars: ReadonlyMap<string, ForeignBytes>): void {
    const id = idOf(fields['id']) ?? ''
    this.#groups.note(table, fields)
    this.#profiles.note(table, fields)
    this.#organization.note(table, fields)
    // Bots of the server itself have their like here.
    if (table === SERVER_BOTS) return this.#noteUser(id, { ...fields, is_active: false }, avatars)
    if (PEOPLE.has(table)) return this.#noteUser(id, fields, avatars)
    switch (table) {
      case 'zerver_realm':
        this.origin = `zulip-${firstText(fields['uuid'], fields['string_id'], id)}`
        return
      case 'zerver_stream':
        if (!this.#channels.has(id)) this.#channels.set(id, fields)
        else this.#lose({ place: undefined, reason: 'a channel whose id is there twice', example: id })
        return
      case 'zerver_recipient':
        return this.#recipients.note(fields)
      case 'zerver_subscription':
        return this.#noteMember(fields)
      case 'zerver_realmemoji':
        return this.#noteEmoji(fields)
      case 'zerver_channelfolder':
        return this.#noteFolder(id, fields)
      case 'zerver_service':
        return this.#services.add(
          idOf(fields['user_profile']),
          readService({ url: fields['base_url'], interface: fields['interface'] }),
        )
      case 'zerver_scheduledmessage': {
        const message = idOf(fields['reminder_target_message_id'])
        if (message !== undefined) this.#reminded.set(message, undefined)
        return
      }
      case 'zerver_presencesequence':
        this.#newest.presence = Number(fields['last_update_id']) || 0
        return
      case 'zerver_reaction':
        return this.#reactions.add(fields)
    }
  }

  #noteEmoji(fields: Fields): void {
    if (fields['deactivated'] === true) return
    const name = toText(fields['name'])
    const folder = `${this.#base}emoji/${idOf(fields['realm']) ?? ''}/emoji/images`
    const path = `${folder}/${toText(fields['file_name'])}`
    this.lists.emoji.set(name, { name, author: idOf(fields['author']) ?? '', picture: { path } })
  }

  #noteFolder(id: string, fields: Fields): void {
    this.lists.folders.set(id, {
      id,
      name: toText(fields['name']).trim(),
      description: toText(fields['description']),
      createdAt: toPositive(fields['date_created']),
      creator: idOf(fields['creator']),
      isArchived: fields['is_archived'] === true,
    })
  }

  #noteMessage(fields: Fields): void {
    const id = idOf(fields['id']) ?? ''
    const place = this.#placeOf(fields)
    this.#newest.message = Math.max(this.#newest.message, Number(id))
    if (this.#reminded.has(id)) this.#reminded.set(id, place?.id)
    if (place && !place.isChannel) this.lists.addConversation(place)
  }

  #noteUser(id: string, fields: Fields, avatars: ReadonlyMap<string, ForeignBytes>): void {
    const avatar = avatars.get(id)
    this.lists.addUser({
      id,
      name: firstText(fields['full_name'], id),
      email: firstText(fields['delivery_email'], fields['email']),
      kind: fields['is_bot'] === true ? 'bot' : fields['role'] === GUEST_ROLE ? 'guest' : 'member',
      bot: fields['is_bot'] === true ? this.#botOf(id, fields) : undefined,
      profile: this.#profiles.of(id),
      role: roleOf(fields['role']),
      isActive: fields['is_active'] !== false && fields['is_mirror_dummy'] !== true,
      timezone: toText(fields['timezone']),
      ...(avatar ? { avatar } : {}),
    })
  }

  /** Its service is in a table that comes later. */
  #botOf(id: string, fields: Fields): ForeignBot | undefined {
    if (typeof fields['bot_type'] !== 'number') return undefined
    const services = this.#services
    return {
      type: fields['bot_type'],
      owner: idOf(fields['bot_owner']),
      get service() {
        return services.of(id)[0]
      },
    }
  }

  #noteMember(fields: Fields): void {
    const [recipient, user] = [idOf(fields['recipient']), idOf(fields['user_profile'])]
    // Group conversations are never left.
    if (recipient === undefined || user === undefined || fields['active'] === false) return
    this.lists.addMember(recipient, user)
  }

  /** Each picture comes in its own size and in smaller ones. */
  #noteAvatar(fields: Fields, avatars: Map<string, ForeignBytes>): void {
    const user = idOf(fields['user_profile_id'])
    const path = toText(fields['path'])
    if (user === undefined || path === '') return
    if (avatars.has(user) && !path.endsWith('.original')) return
    avatars.set(user, { path: `${this.#base}avatars/${path}` })
  }

  #placeOf(fields: Fields): Place | undefined {
    return this.#recipients.placeOf(idOf(fields['recipient']), idOf(fields['sender']))
  }

  async *#readMessages(): AsyncGenerator<ReadMessage> {
    const of = (key: string) => ({
      reactions: this.#reactions.of(Number(key)),
      ...this.#marks.of(key),
    })
    for await (const { field, fields } of this.#rows())
      if (field === MESSAGES) yield readZulipMessage(fields, { place: this.#placeOf(fields), of })
  }

  /** A file has messages and their flags, in any order. */
  async *#readUnread(): AsyncGenerator<ForeignUnread> {
    const unread = new Unread()
    for (const name of await this.#messageFiles()) {
      const entry = await this.#archive.find(name)
      const places = new Map<string, string>()
      for await (const { field, fields } of this.#entries.parts(entry)) {
        const place = field === MESSAGES ? this.#placeOf(fields)?.id : undefined
        if (place !== undefined) places.set(idOf(fields['id']) ?? '', place)
      }
      for await (const { field, fields } of this.#entries.parts(entry))
        if (field === FLAGS && unread.add(fields, (message) => places.get(message))) yield* unread.take()
      yield* unread.take()
    }
  }

  /** The rows of messages and of their flags, from all files. */
  async *#rows(): AsyncGenerator<EntryPart> {
    for (const name of await this.#messageFiles()) yield* this.#entries.parts(await this.#archive.find(name))
  }

  /** Some thousand names at most. */
  async #messageFiles(): Promise<readonly string[]> {
    this.#files ??= (
      await filterNames(this.#archive, (name) => {
        return name.startsWith(this.#base) && /^messages-\d+\.json$/.test(name.slice(this.#base.length))
      })
    ).sort()
    return this.#files
  }

  #find(name: string): Promise<ArchiveEntry | undefined> {
    return this.#archive.find(this.#base + name)
  }
}

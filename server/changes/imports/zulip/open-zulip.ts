/**
 * Reads an export of Zulip: a packed tar, or its folder, of one organization's tables as JSON, messages in files of a
 * thousand, and files beside them. Every version is read, as far as its names are known.
 */

import { type Archive, type ArchiveEntry, filesOf, filterNames } from '../archive.ts'
import { describe, type Fields, firstText, toFields, toList, toPositive, toText } from '../fields.ts'
import { JsonEntries } from '../json-entries.ts'
import { Lists } from '../lists.ts'
import { openArchive } from '../open-archive.ts'
import { roleOf } from '../parley/open-parley.ts'
import { translateParley } from '../parley/translate.ts'
import {
  type ForeignBytes,
  type ForeignConversation,
  type ForeignEdit,
  type ForeignMessage,
  type ForeignSource,
  type ForeignUpload,
  ImportError,
  type Loss,
  type Names,
} from '../records.ts'
import { type ReadMessage, sortMessages } from '../sorted-messages.ts'
import { Reactions } from './reactions.ts'

const GUEST_ROLE = 600
/** Kinds of recipients. */
const [PERSON, CHANNEL] = [1, 2]
const PEOPLE = new Set(['zerver_userprofile', 'zerver_userprofile_mirrordummy'])
const SERVER_BOTS = 'zerver_userprofile_crossrealm'

/** A recipient: its kind, and the id of the person, channel or group. */
interface Recipient {
  readonly type: number
  readonly id: string
}

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
  /** The channels' rows, whose members come later. */
  readonly #channels = new Map<string, Fields>()
  readonly #recipients = new Map<string, Recipient>()
  readonly #recipientOfChannel = new Map<string, string>()
  readonly #reactions = new Reactions()

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
    for (const [id, fields] of this.#channels) this.#noteChannel(id, fields)
    this.#channels.clear()
    for await (const fields of this.#rows()) {
      const place = this.#placeOf(fields)
      if (place && !('isChannel' in place)) this.lists.addConversation(place)
    }
    this.#entries.isListed = true
  }

  messages(): AsyncGenerator<ForeignMessage> {
    return sortMessages(this.#readMessages(), this.#lose)
  }

  /** Files that messages link. */
  async *uploads(): AsyncGenerator<ForeignUpload> {
    for await (const { field, fields } of this.#entries.parts(await this.#find('attachment.json'))) {
      if (field !== 'zerver_attachment') continue
      const path = toText(fields['path_id'])
      if (toList(fields['messages']).length === 0) continue
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
      members: this.lists.membersOf(this.#recipientOfChannel.get(id) ?? ''),
      isHistoryPublic: !isPrivate || fields['history_public_to_subscribers'] !== false,
      topicsPolicy: toText(fields['topics_policy']),
    })
  }

  #noteRow(table: string, fields: Fields, avatars: ReadonlyMap<string, ForeignBytes>): void {
    const id = idOf(fields['id']) ?? ''
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
        return this.#noteRecipient(id, { type: Number(fields['type']), id: idOf(fields['type_id']) ?? '' })
      case 'zerver_subscription':
        return this.#noteMember(fields)
      case 'zerver_realmemoji':
        return this.#noteEmoji(fields)
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

  #noteRecipient(id: string, recipient: Recipient): void {
    this.#recipients.set(id, recipient)
    if (recipient.type === CHANNEL) this.#recipientOfChannel.set(recipient.id, id)
  }

  #noteUser(id: string, fields: Fields, avatars: ReadonlyMap<string, ForeignBytes>): void {
    const avatar = avatars.get(id)
    this.lists.addUser({
      id,
      name: firstText(fields['full_name'], id),
      email: firstText(fields['delivery_email'], fields['email']),
      kind: fields['is_bot'] === true ? 'bot' : fields['role'] === GUEST_ROLE ? 'guest' : 'member',
      role: roleOf(fields['role']),
      isActive: fields['is_active'] !== false && fields['is_mirror_dummy'] !== true,
      timezone: toText(fields['timezone']),
      ...(avatar ? { avatar } : {}),
    })
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

  #placeOf(fields: Fields): (ForeignConversation & { readonly isChannel?: true }) | undefined {
    const recipientId = idOf(fields['recipient']) ?? ''
    const recipient = this.#recipients.get(recipientId)
    if (!recipient) return undefined
    if (recipient.type === CHANNEL)
      return { id: recipient.id, label: recipient.id, members: [], isChannel: true }
    const sender = idOf(fields['sender']) ?? ''
    const all =
      recipient.type === PERSON ? [sender, recipient.id] : [...this.lists.membersOf(recipientId), sender]
    const members = [...new Set(all)].sort((one, other) => Number(one) - Number(other))
    const id = `direct: ${members.join(', ')}`
    return { id, label: id, members }
  }

  async *#readMessages(): AsyncGenerator<ReadMessage> {
    for await (const fields of this.#rows()) yield this.#readMessage(fields)
  }

  #readMessage(fields: Fields): ReadMessage {
    const key = idOf(fields['id'])
    const example = key ?? describe(fields)
    const [at, sender, place] = [
      toPositive(fields['date_sent']),
      idOf(fields['sender']),
      this.#placeOf(fields),
    ]
    if (key === undefined) return { left: 'a message without an id', example }
    if (at === undefined) return { left: 'a message without a valid time', example }
    if (sender === undefined) return { left: 'a message without a sender', example }
    if (!place) return { left: 'a message without a recipient', example }
    const editedAt = toPositive(fields['last_edit_time'])
    const message: ForeignMessage = {
      key,
      place: place.id,
      sender,
      senderName: undefined,
      isSenderBot: false,
      sentAt: Math.floor(at),
      text: toText(fields['content']),
      editedAt: editedAt === undefined ? null : Math.floor(editedAt),
      thread: undefined,
      topic: place.isChannel ? toText(fields['subject']) : '',
      isBroadcast: false,
      reactions: this.#reactions.of(Number(key)),
      edits: readEdits(fields['edit_history']),
      files: [],
      isPinned: false,
    }
    return { at, message }
  }

  /** The rows of messages, from all files. */
  async *#rows(): AsyncGenerator<Fields> {
    const names = await filterNames(this.#archive, (name) => {
      return name.startsWith(this.#base) && /^messages-\d+\.json$/.test(name.slice(this.#base.length))
    })
    for (const name of names.sort())
      for await (const { field, fields } of this.#entries.parts(await this.#archive.find(name)))
        if (field === 'zerver_message') yield fields
  }

  #find(name: string): Promise<ArchiveEntry | undefined> {
    return this.#archive.find(this.#base + name)
  }
}

/** Only texts: earlier topics and channels were those of another server. */
function readEdits(history: unknown): ForeignEdit[] {
  let edits: unknown = history
  try {
    if (typeof history === 'string') edits = JSON.parse(history)
  } catch {
    return [] // The message itself is whole.
  }
  return toList(edits).flatMap((one): ForeignEdit[] => {
    const fields = toFields(one)
    const editedAt = toPositive(fields['timestamp'])
    if (editedAt === undefined || typeof fields['prev_content'] !== 'string') return []
    return [
      { user: idOf(fields['user_id']), editedAt: Math.floor(editedAt), text: toText(fields['prev_content']) },
    ]
  })
}

/** An id as a text; undefined if it is none. */
function idOf(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? String(value) : undefined
}

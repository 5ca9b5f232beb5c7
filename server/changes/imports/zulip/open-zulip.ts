/**
 * Reads an export of Zulip: a packed tar, or its folder, of one organization's tables as JSON, messages in files of a
 * thousand, and files beside them. Every version is read, as far as its names are known.
 */

import { statSync } from 'node:fs'
import { isEmailAddress } from '../../../domain/users/email-addresses.ts'
import { type Archive, type ArchiveEntry, openEntry } from '../archive.ts'
import { type Fields, firstText, toFields, toList, toPositive, toText } from '../fields.ts'
import { FolderArchive } from '../folder-archive.ts'
import { type JsonPart, readJsonParts } from '../json-parts.ts'
import { roleOf } from '../parley/open-parley.ts'
import { translateParley } from '../parley/translate.ts'
import {
  type ForeignBytes,
  type ForeignChannel,
  type ForeignConversation,
  type ForeignEdit,
  type ForeignEmoji,
  type ForeignMessage,
  type ForeignSource,
  type ForeignUpload,
  type ForeignUser,
  ImportError,
  type Loss,
  type Names,
} from '../records.ts'
import { sortMessages, type TimedMessage } from '../sorted-messages.ts'
import { TarArchive } from '../tar-archive.ts'
import { EntryError } from '../zip-archive.ts'
import { Reactions } from './reactions.ts'

const GUEST_ROLE = 600
/** Kinds of recipients. */
const [PERSON, CHANNEL] = [1, 2]
const PEOPLE = new Set([
  'zerver_userprofile',
  'zerver_userprofile_crossrealm',
  'zerver_userprofile_mirrordummy',
])

/** A recipient: its kind, and the id of the person, channel or group. */
interface Recipient {
  readonly type: number
  readonly id: string
}

/** Opens an export; what cannot come over goes to `lose`. */
export async function openZulip(path: string, lose: (loss: Loss) => void): Promise<ForeignSource> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const archive: Archive = isFolder ? new FolderArchive(path) : await TarArchive.open(path)
  try {
    for (const { name, reason } of archive.refused) lose({ place: undefined, reason, example: name })
    const realm = [...archive.names].filter((name) => /^(?:[^/]*\/)?realm\.json$/.test(name))
    const entry = realm.length === 1 && realm[0] !== undefined ? archive.find(realm[0]) : undefined
    if (!entry)
      throw new ImportError(`${path} has ${realm.length} realm.json files: an export of Zulip has one`)
    const source = new ZulipArchive(archive, entry, lose)
    await source.readLists()
    return source
  } catch (error) {
    await archive.close()
    throw error
  }
}

class ZulipArchive implements ForeignSource {
  readonly product = 'zulip'
  origin = 'zulip'
  readonly #archive: Archive
  readonly #realm: ArchiveEntry
  readonly #base: string
  readonly #lose: (loss: Loss) => void
  readonly #users = new Map<string, ForeignUser>()
  readonly #idOfName = new Map<string, string | undefined>()
  readonly #channels = new Map<string, Fields>()
  readonly #idOfChannel = new Map<string, string>()
  readonly #recipients = new Map<string, Recipient>()
  readonly #recipientOfChannel = new Map<string, string>()
  /** By the ids of recipients. */
  readonly #members = new Map<string, string[]>()
  readonly #conversations = new Map<string, ForeignConversation>()
  readonly #emoji: Fields[] = []
  readonly #reactions = new Reactions()
  /** Losses of files are reported in the first pass only. */
  #isListed = false

  constructor(archive: Archive, realm: ArchiveEntry, lose: (loss: Loss) => void) {
    this.#archive = archive
    this.#realm = realm
    this.#base = realm.name.slice(0, -'realm.json'.length)
    this.#lose = lose
  }

  async readLists(): Promise<void> {
    const avatars = new Map<string, ForeignBytes>()
    for await (const { value } of this.#parts(this.#find('avatars/records.json')))
      this.#noteAvatar(toFields(value), avatars)
    for await (const { field, value } of this.#parts(this.#realm))
      this.#noteRow(field, toFields(value), avatars)
    for await (const fields of this.#rows()) {
      const place = this.#placeOf(fields)
      if (place && !('isChannel' in place) && !this.#conversations.has(place.id))
        this.#conversations.set(place.id, place)
    }
    this.#isListed = true
  }

  async *users(): AsyncGenerator<ForeignUser> {
    yield* this.#users.values()
  }

  async *channels(): AsyncGenerator<ForeignChannel> {
    for (const [id, fields] of this.#channels) {
      const isPrivate = fields['invite_only'] === true
      const name = firstText(fields['name'], id)
      yield {
        id,
        label: name,
        name,
        description: toText(fields['description']),
        isPrivate,
        isArchived: fields['deactivated'] === true,
        createdAt: toPositive(fields['date_created']),
        creator: idOf(fields['creator']),
        members: this.#members.get(this.#recipientOfChannel.get(id) ?? '') ?? [],
        isHistoryPublic: !isPrivate || fields['history_public_to_subscribers'] !== false,
        topicsPolicy: toText(fields['topics_policy']),
      }
    }
  }

  async *conversations(): AsyncGenerator<ForeignConversation> {
    yield* this.#conversations.values()
  }

  async *emoji(): AsyncGenerator<ForeignEmoji> {
    for (const fields of this.#emoji) {
      const name = toText(fields['name'])
      const file = toText(fields['file_name'])
      const path = `${this.#base}emoji/${idOf(fields['realm']) ?? ''}/emoji/images/${file}`
      yield { name, author: idOf(fields['author']) ?? '', picture: { path } }
    }
  }

  messages(): AsyncGenerator<ForeignMessage> {
    return sortMessages(this.#readMessages())
  }

  /** Files that messages link. */
  async *uploads(): AsyncGenerator<ForeignUpload> {
    for await (const { field, value } of this.#parts(this.#find('attachment.json'))) {
      if (field !== 'zerver_attachment') continue
      const fields = toFields(value)
      const path = toText(fields['path_id'])
      if (toList(fields['messages']).length === 0) continue
      const entry = this.#find(`uploads/${path}`)
      if (!entry) {
        this.#lose({ place: undefined, reason: 'a file without bytes', example: path })
        continue
      }
      const [name, owner] = [firstText(fields['file_name'], path), idOf(fields['owner']) ?? '']
      yield { path, name, owner, size: entry.size, open: () => this.#archive.stream(entry) }
    }
  }

  open(path: string) {
    return openEntry(this.#archive, path)
  }

  translate({ text }: Pick<ForeignMessage, 'text'>, names: Names): string {
    return translateParley(text, {
      mention: (name, id) => names.mention(id ?? this.#idOfName.get(name) ?? ''),
      channel: (name) => names.channel(this.#idOfChannel.get(name.toLowerCase()) ?? ''),
      file: (path) => names.file?.(path),
    })
  }

  close(): Promise<void> {
    return this.#archive.close()
  }

  #noteRow(table: string, fields: Fields, avatars: ReadonlyMap<string, ForeignBytes>): void {
    const id = idOf(fields['id']) ?? ''
    if (PEOPLE.has(table)) return this.#noteUser(id, fields, avatars)
    switch (table) {
      case 'zerver_realm':
        this.origin = `zulip-${firstText(fields['uuid'], fields['string_id'], id)}`
        return
      case 'zerver_stream':
        this.#channels.set(id, fields)
        this.#idOfChannel.set(toText(fields['name']).toLowerCase(), id)
        return
      case 'zerver_recipient':
        return this.#noteRecipient(id, { type: Number(fields['type']), id: idOf(fields['type_id']) ?? '' })
      case 'zerver_subscription':
        return this.#noteMember(fields)
      case 'zerver_realmemoji':
        if (fields['deactivated'] !== true) this.#emoji.push(fields)
        return
      case 'zerver_reaction':
        return this.#reactions.add(fields)
    }
  }

  #noteRecipient(id: string, recipient: Recipient): void {
    this.#recipients.set(id, recipient)
    if (recipient.type === CHANNEL) this.#recipientOfChannel.set(recipient.id, id)
  }

  #noteUser(id: string, fields: Fields, avatars: ReadonlyMap<string, ForeignBytes>): void {
    if (id === '')
      return this.#lose({ place: undefined, reason: 'a user without an id', example: 'realm.json' })
    const email = firstText(fields['delivery_email'], fields['email'])
    const name = firstText(fields['full_name'], id)
    const avatar = avatars.get(id)
    this.#idOfName.set(name, this.#idOfName.has(name) ? undefined : id)
    this.#users.set(id, {
      id,
      name,
      email: isEmailAddress(email) ? email : undefined,
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
    const members = this.#members.get(recipient)
    if (members) members.push(user)
    else this.#members.set(recipient, [user])
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
      recipient.type === PERSON ? [sender, recipient.id] : [...(this.#members.get(recipientId) ?? []), sender]
    const members = [...new Set(all)].sort((one, other) => Number(one) - Number(other))
    const id = `direct: ${members.join(', ')}`
    return { id, label: id, members }
  }

  async *#readMessages(): AsyncGenerator<TimedMessage> {
    for await (const fields of this.#rows()) {
      const read = this.#readMessage(fields)
      if ('left' in read) this.#lose({ place: undefined, reason: read.left, example: read.example })
      else yield read
    }
  }

  #readMessage(fields: Fields): TimedMessage | { readonly left: string; readonly example: string } {
    const key = idOf(fields['id'])
    const example = key ?? JSON.stringify(fields).slice(0, 80)
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
    const names = [...this.#archive.names].filter((name) => {
      return name.startsWith(this.#base) && /^messages-\d+\.json$/.test(name.slice(this.#base.length))
    })
    for (const name of names.sort())
      for await (const { field, value } of this.#parts(this.#archive.find(name)))
        if (field === 'zerver_message') yield toFields(value)
  }

  #find(name: string): ArchiveEntry | undefined {
    return this.#archive.find(this.#base + name)
  }

  async *#parts(entry: ArchiveEntry | undefined): AsyncGenerator<JsonPart> {
    if (!entry) return
    const lose = (reason: string) => {
      if (!this.#isListed) this.#lose({ place: undefined, reason, example: entry.name })
    }
    try {
      yield* readJsonParts(this.#archive.stream(entry), lose)
    } catch (error) {
      if (!(error instanceof EntryError)) throw error
      lose(`the rest of a file, which is damaged`)
    }
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

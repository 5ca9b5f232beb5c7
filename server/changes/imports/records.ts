/** Neutral records: readers turn the archive of any product into them, and the loader knows no other form. */

import type { BotService } from '../../domain/users/bots.ts'
import type { Fields } from './fields.ts'
import type { ForeignOwn, ForeignUnread } from './own/records.ts'

/** A person, bot or guest; ids are those of the product. */
export interface ForeignUser {
  readonly id: string
  readonly name: string
  /** Undefined if the archive does not say it, or not in the form of an address. */
  readonly email: string | undefined
  readonly kind: 'member' | 'guest' | 'bot'
  /** Whether it is the server's own bot. */
  readonly isSystem?: boolean
  /** Of a bot, if it is of this server's kind. */
  readonly bot?: ForeignBot | undefined
  readonly isActive: boolean
  /** Their role, if it is a higher one than that of most members. */
  readonly role?: 'owner' | 'administrator' | 'moderator' | undefined
  /** An IANA name; empty if unknown. */
  readonly timezone: string
  /** The picture that they chose. */
  readonly avatar?: ForeignBytes
  /** Values by the ids of profile fields; people in one are a JSON list of their ids. */
  readonly profile?: ReadonlyMap<string, string>
}

/** A bot of this server's kind, without keys and tokens. */
export interface ForeignBot {
  /** A number of the API. */
  readonly type: unknown
  readonly owner: string | undefined
  /** The service that it posts to, if it posts and the archive says where. */
  readonly service: Omit<BotService, 'token'> | undefined
}

/** The bytes of a file or picture, in the archive or at an address. */
export interface ForeignBytes {
  /** Its name in the archive, as the source's `open` wants it. */
  readonly path?: string | undefined
  /** Its address with the token that it needs: for this run alone, and stored nowhere. */
  readonly address?: string | undefined
}

/** A field that all profiles have, in this server's own terms. */
export interface ForeignProfileField {
  readonly id: string
  readonly type: number
  readonly name: string
  readonly hint: string
  readonly data: Readonly<Record<string, unknown>>
  readonly isInSummary: boolean
  readonly isRequired: boolean
  readonly isEditable: boolean
}

/** A folder of channels. */
export interface ForeignFolder {
  readonly id: string
  readonly name: string
  readonly description: string
  /** UNIX seconds; undefined if unknown. */
  readonly createdAt: number | undefined
  readonly creator: string | undefined
  readonly isArchived: boolean
}

/** The people and groups that hold a permission; system groups by their names. */
export interface ForeignSetting {
  readonly users: readonly string[]
  readonly groups: readonly string[]
}

/** By the names that the API of this server has for permissions. */
export type ForeignPermissions = ReadonlyMap<string, ForeignSetting>

/** A channel with its members. */
export interface ForeignChannel {
  readonly id: string
  /** Its name in the report. */
  readonly label: string
  readonly name: string
  readonly description: string
  readonly isPrivate: boolean
  readonly isArchived: boolean
  /** UNIX seconds; undefined if unknown. */
  readonly createdAt: number | undefined
  readonly creator: string | undefined
  readonly members: readonly string[]
  /** Whether an owner of the organization is its member: the product does not say who may read it. */
  readonly isOfOwner?: boolean
  /** Whether members read what was before them; true if left out. */
  readonly isHistoryPublic?: boolean
  /** This server's own name of a policy. */
  readonly topicsPolicy?: string
  /** Whether its messages show previews of links; left out if they do. */
  readonly hasLinkPreviews?: boolean
  readonly permissions?: ForeignPermissions
  /** The id of its folder. */
  readonly folder?: string | undefined
  /** Days for which messages are kept; -1 keeps them, and null as the organization does. */
  readonly retentionDays?: number | null
  /** The oldest first; for products that have more of a pin than its message. */
  readonly pins?: readonly ForeignPin[]
}

/** A group of people that messages mention. */
export interface ForeignGroup {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly members: readonly string[]
  /** The ids of groups in it; a system group by its name. */
  readonly subgroups: readonly string[]
  readonly creator: string | undefined
  /** UNIX seconds; undefined if unknown. */
  readonly createdAt: number | undefined
  readonly permissions: ForeignPermissions
  readonly isDeactivated: boolean
}

/** A direct conversation of two or more. */
export interface ForeignConversation {
  readonly id: string
  /** Its name in the report. */
  readonly label: string
  readonly members: readonly string[]
}

/** An emoji reaction of some users. */
export interface ForeignReaction {
  /** The product's own name, perhaps with `::skin-tone-2`. */
  readonly name: string
  readonly users: readonly string[]
  /** An emoji of this server's kind, by its code and its type; its name is no other product's. */
  readonly own?: { readonly code: string; readonly type: string }
}

/** An edit of a message: what it was before; undefined for what stayed. */
export interface ForeignEdit {
  readonly user: string | undefined
  /** UNIX seconds. */
  readonly editedAt: number
  readonly text: string | undefined
  readonly topic?: { readonly previous: string; readonly now: string } | undefined
  /** By the ids of channels. */
  readonly channel?: { readonly previous: string; readonly now: string } | undefined
}

/** Something that a person did in a poll or a list, as JSON of this server's kind. */
export interface ForeignSubmessage {
  readonly user: string
  readonly content: string
}

/** A pin of a channel: of a message, or of a topic. */
export interface ForeignPin {
  readonly message?: string
  readonly topic?: string
  readonly user: string | undefined
  /** UNIX seconds; undefined if unknown. */
  readonly pinnedAt: number | undefined
}

/** A custom emoji. */
export interface ForeignEmoji {
  readonly name: string
  readonly author: string
  readonly picture: ForeignBytes
}

/** An entry of the archive that is open. */
export interface OpenEntry {
  /** Bytes. */
  readonly size: number
  /** Throws an `EntryError` if it is damaged. */
  read(): AsyncIterable<Uint8Array>
}

/** A file that comes over with its bytes. */
export interface ForeignUpload {
  /** As the texts of messages link it. */
  readonly path: string
  readonly name: string
  readonly owner: string
  readonly size: number
  /** Its bytes; throws an `EntryError`. */
  open(): AsyncIterable<Uint8Array>
}

/** A file of a message. If its bytes do not come over, its name and address do. */
export interface ForeignFile extends ForeignBytes {
  readonly name: string
  /** Without a token; undefined if the product gives no address. */
  readonly url: string | undefined
  /** The path of the upload that it became here. */
  readonly here?: string
}

/** A message in a channel or a conversation. */
export interface ForeignMessage {
  /** Unique within its place. */
  readonly key: string
  /** The id of its channel or conversation. */
  readonly place: string
  readonly sender: string
  /** The name of a sender who may be in no list. */
  readonly senderName: string | undefined
  readonly isSenderBot: boolean
  /** UNIX seconds. */
  readonly sentAt: number
  /** In the product's own markup. */
  readonly text: string
  readonly editedAt: number | null
  /** The key of the thread that it belongs to; undefined outside of threads. */
  readonly thread: string | undefined
  /** A reply that was also sent to the channel itself. */
  readonly isBroadcast: boolean
  readonly reactions: readonly ForeignReaction[]
  readonly files: readonly ForeignFile[]
  readonly isPinned: boolean
  /** The users who starred it. */
  readonly starredBy?: readonly string[]
  /** The users who collapsed it. */
  readonly collapsedBy?: readonly string[]
  /** Its topic, if the product has topics as this server. */
  readonly topic?: string
  /** Its edits, the newest first. */
  readonly edits?: readonly ForeignEdit[]
  /** UNIX seconds; null if it never moved to another topic. */
  readonly movedAt?: number | null
  /** The poll or the list that it opens, as JSON of this server's kind. */
  readonly opening?: string
  /** The oldest first. */
  readonly submessages?: readonly ForeignSubmessage[]
}

/** The record of a message that does not come over. */
export interface Left {
  /** The reason. */
  readonly left: string
  readonly example: string
  /** The name of its channel or conversation in the report. */
  readonly place?: string | undefined
}

/** Finds what a text names. */
export interface Names {
  /** The mention of a user: of the product's id or name, or undefined if nobody is known by it. */
  mention(user: string): string | undefined
  /** The link to a channel. */
  channel(channel: string): string | undefined
  /** The path here of a file there. */
  file?(path: string): string | undefined
}

/** Something of the archive that does not come over, or not as it was. */
export interface Loss {
  /** The channel or conversation, by the product's name; undefined for the organization as a whole. */
  readonly place: string | undefined
  readonly reason: string
  readonly example: string
}

/** A list in the order of the archive. */
export interface ForeignList<Item> {
  /** Whether it has this id of the product, or for emoji this name. */
  has(id: string): boolean
  values(): Iterable<Item>
}

/** Everything of an archive but its messages and files. */
export interface ForeignLists {
  readonly users: ForeignList<ForeignUser>
  readonly channels: ForeignList<ForeignChannel>
  readonly conversations: ForeignList<ForeignConversation>
  readonly groups: ForeignList<ForeignGroup>
  readonly folders: ForeignList<ForeignFolder>
  readonly profileFields: ForeignList<ForeignProfileField>
  readonly emoji: ForeignList<ForeignEmoji>
}

/** The files of an archive. */
export interface ForeignFiles {
  /** A file by the name that records have for it; undefined if there is none. */
  open(path: string): Promise<OpenEntry | undefined>
  close(): Promise<void>
}

/** The organization itself, of this server's kind. */
export interface ForeignOrganization {
  /** Its name and description. */
  readonly fields: Fields
  readonly settings: Fields
  readonly permissions: ForeignPermissions
  readonly linkifiers: readonly Fields[]
  readonly playgrounds: readonly Fields[]
  readonly emailDomains: readonly Fields[]
  readonly defaultUserSettings: Fields
  /** The ids of channels. */
  readonly defaultChannels: readonly string[]
}

/** An archive that is open. Messages and uploads may be read several times. */
export interface ForeignSource {
  readonly product: 'slack' | 'mattermost' | 'rocket-chat' | 'discord' | 'zulip' | 'parley'
  /** Tells apart two organizations of the same product. */
  readonly origin: string
  readonly lists: ForeignLists
  readonly organization?: ForeignOrganization
  readonly files: ForeignFiles
  /** In the order of their times. */
  messages(): AsyncIterable<ForeignMessage>
  /** The text of a message, or of the description of a channel, in this server's dialect. */
  translate(message: Pick<ForeignMessage, 'place' | 'text'>, names: Names): string
  /** Files that messages link by paths of their own. */
  uploads?(): AsyncIterable<ForeignUpload>
  /** Data that people keep for themselves; read once, after the messages. */
  own?(): AsyncIterable<ForeignOwn>
  /** Also after the messages; `madeAt` tells apart two exports of one organization. */
  readonly unread?: { readonly madeAt: string; read(): AsyncIterable<ForeignUnread> }
}

/** The archive cannot be read at all; the message says why in one line. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

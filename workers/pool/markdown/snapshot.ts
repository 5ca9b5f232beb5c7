/** What a text may name: plain data that the server gathers for it, and that a thread can be handed. */

import type { ChannelId, GroupId, MessageId, UploadId, UserId } from '../../../server/domain/ids.ts'

/**
 * All that rendering knows of the organization. It may hold more than the text names, and must hold
 * nothing that the sender may not know: what it does not hold is rendered as if it did not exist.
 */
export interface MentionSnapshot {
  readonly users: readonly MentionableUser[]
  readonly groups: readonly MentionableGroup[]
  readonly channels: readonly LinkableChannel[]
  readonly topics: readonly LinkableTopic[]
  /** The organization's own emoji; they go before those of Unicode. */
  readonly emoji: readonly CustomEmoji[]
  readonly uploads: readonly KnownUpload[]
  /** In the order in which they are tried. */
  readonly linkifiers: readonly Linkifier[]
  /** The organization's address without a slash at its end, or empty: links below it become relative. */
  readonly realmUrl: string
  /** Whether `:)` becomes an emoji, as the sender has set it. */
  readonly isTranslatingEmoticons: boolean
  /** Which linked images are shown: with `all`, readers load foreign ones from where they are. */
  readonly previewedImages: 'none' | 'uploads' | 'all'
  /** The language of code that names none; empty where the organization has not set it. */
  readonly defaultCodeLanguage: string
}

export interface MentionableUser {
  readonly id: UserId
  readonly name: string
}

export interface MentionableGroup {
  readonly id: GroupId
  readonly name: string
  /** What readers see, where that is not its name, as with the groups of the roles. */
  readonly displayName?: string
  /** Whether the sender may mention it loudly. Where not, it is told apart; a deactivated group is only ever silent. */
  readonly standing: 'mentionable' | 'forbidden' | 'deactivated'
}

export interface LinkableChannel {
  readonly id: ChannelId
  readonly name: string
}

export interface LinkableTopic {
  readonly channelId: ChannelId
  readonly topic: string
  /** The newest message there that the sender may read. */
  readonly newestMessageId: MessageId
}

export interface CustomEmoji {
  readonly name: string
  /** An address or a path of this server. */
  readonly sourceUrl: string
}

export interface KnownUpload {
  readonly id: UploadId
  /** `/user_uploads/…`, without percent-encoding. */
  readonly path: string
  readonly contentType: string
  /** Null for what is no image. */
  readonly image: UploadedImage | null
}

export interface UploadedImage {
  /** In pixels; null while it has not been looked at. */
  readonly width: number | null
  readonly height: number | null
  readonly isThumbnailed: boolean
  readonly isAnimated: boolean
  /** The file name of a variant for clients that cannot show the original, or null. */
  readonly transcodedName: string | null
}

export interface Linkifier {
  /** RE2 syntax. */
  readonly pattern: string
  /** RFC 6570, over the pattern's named groups. */
  readonly urlTemplate: string
}

/** A snapshot of nothing: what needs no knowledge of the organization is rendered all the same. */
export const NOTHING_KNOWN: MentionSnapshot = {
  users: [],
  groups: [],
  channels: [],
  topics: [],
  emoji: [],
  uploads: [],
  linkifiers: [],
  realmUrl: '',
  isTranslatingEmoticons: false,
  previewedImages: 'uploads',
  defaultCodeLanguage: '',
}

/** The snapshot of names for rendering a text: plain data that the server collects and can pass to a thread. */

import type { ChannelId, GroupId, MessageId, UploadId, UserId } from '../../../server/domain/ids.ts'

/**
 * Everything that rendering can see of the organization. It may contain more than the text names, but nothing that the
 * sender may not see. Names outside it render as if they did not exist.
 */
export interface MentionSnapshot {
  readonly users: readonly MentionableUser[]
  readonly groups: readonly MentionableGroup[]
  readonly channels: readonly LinkableChannel[]
  readonly topics: readonly LinkableTopic[]
  /** Custom emoji; they take precedence over Unicode ones. */
  readonly emoji: readonly CustomEmoji[]
  readonly uploads: readonly SnapshotUpload[]
  /** In matching order. */
  readonly linkifiers: readonly Linkifier[]
  /** The organization's address without a trailing slash, or empty: links below it become relative. */
  readonly realmUrl: string
  /** Whether the sender's setting turns `:)` into an emoji. */
  readonly isTranslatingEmoticons: boolean
  /** Linked images with previews; with `all`, readers load external ones from their source. */
  readonly previewedImages: 'none' | 'uploads' | 'all'
  /** The language of code blocks without one; empty if the organization has not set it. */
  readonly defaultCodeLanguage: string
}

export interface MentionableUser {
  readonly id: UserId
  readonly name: string
}

export interface MentionableGroup {
  readonly id: GroupId
  readonly name: string
  /** The name that readers see, if it differs, as for groups of roles. */
  readonly displayName?: string
  /** Whether the sender may mention it loudly. If not, the result reports it; a deactivated group is always silent. */
  readonly standing: 'mentionable' | 'forbidden' | 'deactivated'
}

export interface LinkableChannel {
  readonly id: ChannelId
  readonly name: string
}

export interface LinkableTopic {
  readonly channelId: ChannelId
  readonly topic: string
  /** Its newest message that the sender may read. */
  readonly newestMessageId: MessageId
}

export interface CustomEmoji {
  readonly name: string
  /** An address or a path of this server. */
  readonly sourceUrl: string
}

export interface SnapshotUpload {
  readonly id: UploadId
  /** `/user_uploads/…`, without percent-encoding. */
  readonly path: string
  readonly contentType: string
  /** Null unless it is an image. */
  readonly image: UploadedImage | null
}

export interface UploadedImage {
  /** In pixels; null until it has been inspected. */
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

/** An empty snapshot: texts that name nothing render as always. */
export const EMPTY_SNAPSHOT: MentionSnapshot = {
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

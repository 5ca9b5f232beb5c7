/** What comes of rendering: the HTML, and what the server needs to know of the text. */

import type { ChannelId, GroupId, MessageId, UserId } from '../../../server/domain/ids.ts'

/** How everyone is mentioned at once: `all` stands for all words that mean the whole channel. */
export type WildcardKind = 'all' | 'topic'

/** A message that opens an interactive part under itself. */
export type SubmessageKind = 'poll' | 'todo'

/** A topic that a text links to. */
export interface LinkedTopic {
  readonly channelId: ChannelId
  readonly topic: string
}

/** Plain data. Ids are in the order of the text, each once. */
export interface RenderedMarkdown {
  readonly html: string
  readonly mentionedUserIds: readonly UserId[]
  readonly silentlyMentionedUserIds: readonly UserId[]
  readonly mentionedGroupIds: readonly GroupId[]
  readonly silentlyMentionedGroupIds: readonly GroupId[]
  /** Groups that the sender mentioned loudly and may not: a reason to refuse the text. */
  readonly forbiddenGroupIds: readonly GroupId[]
  readonly wildcards: readonly WildcardKind[]
  readonly linkedChannelIds: readonly ChannelId[]
  readonly linkedTopics: readonly LinkedTopic[]
  readonly linkedMessageIds: readonly MessageId[]
  /** Paths below `/user_uploads/` that are linked or shown, without percent-encoding. */
  readonly attachmentPaths: readonly string[]
  /** Whether it links to an address; links to channels and topics are no such. */
  readonly hasLink: boolean
  readonly hasImage: boolean
  readonly hasAttachment: boolean
  /** Whether it tells of its sender, as `/me waves`. */
  readonly isMeMessage: boolean
  readonly submessage: SubmessageKind | null
}

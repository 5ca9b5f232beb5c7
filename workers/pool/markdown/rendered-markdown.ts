/** The result of rendering: the HTML, and facts about the text for the server. */

import type { ChannelId, GroupId, MessageId, UserId } from '../../../server/domain/ids.ts'

/** Kinds of mentions of everyone; `all` stands for all words for the whole channel. */
export type WildcardKind = 'all' | 'topic'

/** A message that opens a widget. */
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
  /** Groups that the sender mentioned loudly without permission: a reason to reject the text. */
  readonly forbiddenGroupIds: readonly GroupId[]
  readonly wildcards: readonly WildcardKind[]
  readonly linkedChannelIds: readonly ChannelId[]
  readonly linkedTopics: readonly LinkedTopic[]
  readonly linkedMessageIds: readonly MessageId[]
  /** Linked or shown paths below `/user_uploads/`, without percent-encoding. */
  readonly attachmentPaths: readonly string[]
  /** The first web addresses that it links to outside quotes and hidden parts, for previews. */
  readonly previewedUrls: readonly string[]
  /** Whether it links to an address; links to channels and topics do not count. */
  readonly hasLink: boolean
  readonly hasImage: boolean
  readonly hasAttachment: boolean
  /** Whether it is about its sender, such as `/me waves`. */
  readonly isMeMessage: boolean
  readonly submessage: SubmessageKind | null
}

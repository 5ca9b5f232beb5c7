/** A text, rendered for its place. */

import type { Alerted } from '../../domain/personal/alert-words.ts'
import type { MessageSent } from '../../domain/events/messages.ts'
import type { ChannelId, GroupId, UploadId, UserId } from '../../domain/ids.ts'

/** The place that a text is rendered for. */
export type Audience =
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly UserId[] }

/** A rendered text; its recipients are not decided yet. */
export interface ComposedMessage {
  readonly rendered: string
  readonly audience: Audience['kind']
  readonly userIds: readonly UserId[]
  /** Includes users whom the author may not mention: the decision checks that as of the commit. */
  readonly groupIds: readonly GroupId[]
  /** The participants of the topic, if the text mentions them together. */
  readonly participantIds: readonly UserId[]
  readonly isForAll: boolean
  /** Linked files that the author may read. */
  readonly uploadIds: readonly UploadId[]
  /** Users who have alert words in the text. */
  readonly alerted: Alerted
}

/** The files of an event: those that its message links. */
export function linksOf({ uploadIds }: ComposedMessage): Pick<MessageSent, 'uploadIds'> {
  return uploadIds.length > 0 ? { uploadIds } : NO_LINKS
}

const NO_LINKS: Pick<MessageSent, 'uploadIds'> = {}

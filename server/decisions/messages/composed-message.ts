/** A text that is rendered for where it is to be read. */

import type { Alerted } from '../../domain/alert-words.ts'
import type { MessageSent } from '../../domain/events/messages.ts'
import type { ChannelId, GroupId, UploadId, UserId } from '../../domain/ids.ts'

/** Where a text is to be read. */
export type Audience =
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly UserId[] }

/** A text that is rendered, before it is decided who receives it. */
export interface ComposedMessage {
  readonly rendered: string
  readonly audience: Audience['kind']
  readonly userIds: readonly UserId[]
  /** Those the author may not mention, too: who may what is decided as of the commit. */
  readonly groupIds: readonly GroupId[]
  /** Those who take part in the topic, where it mentions them together. */
  readonly participantIds: readonly UserId[]
  readonly isForAll: boolean
  /** Files that it links and its author may read. */
  readonly uploadIds: readonly UploadId[]
  /** Whose alert words are in the text. */
  readonly alerted: Alerted
}

/** What an event says of the files that a message links. */
export function linksOf({ uploadIds }: ComposedMessage): Pick<MessageSent, 'uploadIds'> {
  return uploadIds.length > 0 ? { uploadIds } : NO_LINKS
}

const NO_LINKS: Pick<MessageSent, 'uploadIds'> = {}

/** A text, rendered for its place. */

import type { Alerted } from '../../domain/personal/alert-words.ts'
import type { MessageSent } from '../../domain/events/messages.ts'
import type { PictureId } from '../../domain/files/pictures.ts'
import type { WaitingLinks } from '../../domain/messages/link-previews.ts'
import { Secret } from '../../domain/secret.ts'
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
  /** The links whose previews are to be fetched, if any. */
  readonly links?: WaitingLinks
  /** The thumbnails of previews in the HTML, if any. */
  readonly pictureIds?: readonly PictureId[]
}

/** The links of an event: the files that its message links, and the addresses to preview. */
export function linksOf({ uploadIds, links }: ComposedMessage): Pick<MessageSent, 'uploadIds' | 'links'> {
  if (links)
    return uploadIds.length > 0 ? { uploadIds, links: new Secret(links) } : { links: new Secret(links) }
  return uploadIds.length > 0 ? { uploadIds } : NO_LINKS
}

const NO_LINKS: Pick<MessageSent, 'uploadIds'> = {}

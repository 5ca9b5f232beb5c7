/** The name of a place: a topic with its channel, or people. */

import { useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { type Narrow, ofChannel, ofDirect, ofTopic } from '../../store/narrows/narrow.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { directName } from '../../store/derived/direct-name.ts'
import { Icon } from '../../ui/icon.tsx'
import { topicName } from '../../store/derived/topic.ts'
import { t } from '../../texts/texts.ts'

export type Place =
  | { readonly channelId: number; readonly topic: string }
  | { readonly otherIds: readonly number[] }

export function PlaceName({ place }: { readonly place: Place }) {
  const state = useState()
  if ('otherIds' in place)
    return (
      <b class="place-name">
        <Icon name={place.otherIds.length > 1 ? 'people' : 'mention'} />
        <span dir="auto">{directName(state, place.otherIds)}</span>
      </b>
    )
  const { channelId, topic } = place
  return (
    <b class="place-name">
      <ChannelMark channelId={channelId} />
      <span dir="auto">{channelsById(state).get(channelId)?.channel.name ?? t('Unknown channel')}</span>
      <span class="separator">›</span>
      <span dir="auto">{topicName(topic)}</span>
    </b>
  )
}

/** The place of a draft or a message that is sent later; undefined if none was chosen. */
export function placeOfUnsent(
  {
    type,
    to,
    topic = '',
  }: { readonly type: string; readonly to: number | readonly number[]; readonly topic?: string },
  ownId: number,
): { readonly place: Place; readonly narrow: Narrow } | undefined {
  const ids = typeof to === 'number' ? [to] : to
  if (type === 'private') {
    const otherIds = ids.filter((id) => id !== ownId)
    return { place: { otherIds }, narrow: ofDirect(otherIds) }
  }
  const [channelId] = ids
  if (type !== 'stream' || channelId === undefined) return undefined
  return {
    place: { channelId, topic },
    narrow: topic === '' ? ofChannel(channelId) : ofTopic(channelId, topic),
  }
}

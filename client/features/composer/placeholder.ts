/** Names of the place that a message goes to: in the empty composer, and for files that are dropped. */

import type { State } from '../../store/apply.ts'
import { channelsById } from '../../store/derived/channels.ts'
import type { DraftPlace } from '../../store/drafts/draft-entry.ts'
import { directName } from '../../store/derived/direct-name.ts'
import { topicName } from '../../store/derived/topic.ts'
import { t } from '../../texts/texts.ts'

export function placeholderOf(state: State, place: DraftPlace): string {
  if (place.type === 'direct')
    return place.userIds.length === 0
      ? t('Write a note')
      : t('Message {place}', { place: directName(state, place.userIds) })
  const { channelId, topic } = place
  return t('Message {place}', {
    place: topic === undefined ? channelName(state, channelId) : topicName(topic),
  })
}

/** The whole name: `design › icons`. */
export function placeNameOf(state: State, place: DraftPlace): string {
  if (place.type === 'direct')
    return place.userIds.length === 0 ? t('your notes') : directName(state, place.userIds)
  const channel = channelName(state, place.channelId)
  return place.topic === undefined ? channel : `${channel} › ${topicName(place.topic)}`
}

function channelName(state: State, channelId: number): string {
  return channelsById(state).get(channelId)?.channel.name ?? ''
}

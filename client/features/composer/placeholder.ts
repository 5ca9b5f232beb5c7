/** The words in an empty composer name the place that the message goes to. */

import type { State } from '../../store/apply.ts'
import { channelsById } from '../../store/derived/channels.ts'
import type { DraftPlace } from '../../store/drafts/draft-entry.ts'
import { directName } from '../../store/derived/direct-name.ts'
import { topicName } from '../../store/derived/topic.ts'

export function placeholderOf(state: State, place: DraftPlace): string {
  if (place.type === 'direct')
    return place.userIds.length === 0 ? 'Write a note' : `Message ${directName(state, place.userIds)}`
  if (place.topic !== undefined) return `Message ${topicName(place.topic)}`
  return `Message ${channelsById(state).get(place.channelId)?.channel.name ?? ''}`
}

/** Moves of messages from a topic to another one, as their events say. */

import type { Event } from '../../../packages/client/src/wire-types.ts'
import type { Topic } from '../derived/topic.ts'

export interface TopicMove {
  readonly from: Topic
  readonly to: Topic
  readonly ids: ReadonlySet<number>
  readonly mode: 'change_one' | 'change_later' | 'change_all'
  /** The person who moved them; null for the server itself. */
  readonly userId: number | null
}

/** The move of an event; undefined for other events, and for edits. */
export function readMove(event: Event): TopicMove | undefined {
  if (event.type !== 'update_message') return undefined
  const { stream_id, orig_subject, subject = orig_subject, new_stream_id = stream_id } = event
  const { propagate_mode: mode = 'change_one', message_ids, user_id: userId } = event
  if (stream_id === undefined || orig_subject === undefined) return undefined
  if (subject === undefined || new_stream_id === undefined) return undefined
  return {
    from: { channelId: stream_id, topic: orig_subject },
    to: { channelId: new_stream_id, topic: subject },
    ids: new Set(message_ids),
    mode,
    userId,
  }
}

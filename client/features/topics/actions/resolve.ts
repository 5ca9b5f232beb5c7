/** Marks a topic as resolved, or no longer; an open view of it follows. */

import { mayResolve } from '../../../store/derived/permissions.ts'
import { isResolved, RESOLVED, type Topic } from '../../../store/derived/topic.ts'
import type { Action } from '../../../ui/action.ts'
import { followMove, moveTopic } from '../move.ts'

export const resolve: Action<Topic> = {
  name: 'resolve',
  label: (_, { topic }) => (isResolved(topic) ? 'Mark as unresolved' : 'Mark as resolved'),
  icon: 'check',
  may: (app, { channelId, topic }) => mayResolve(app.state.peek(), channelId, topic),
  run: async (app, place) => {
    const to = { ...place, topic: otherName(place.topic) }
    if (await moveTopic(app, place, to)) followMove(app, place, to)
  },
}

/** The other name of a topic: resolved, or open again. The mark may stand there more than once. */
function otherName(topic: string): string {
  if (!isResolved(topic)) return RESOLVED + topic
  let start = RESOLVED.length
  while (topic[start] === ' ' || topic[start] === '✔') start++
  return topic.slice(start)
}

/** Marks a topic as resolved, or no longer. */

import { isResolved, toggleResolved } from '../../../../packages/rules/topics.ts'
import { mayResolve } from '../../../store/derived/permissions.ts'
import type { Topic } from '../../../store/derived/topic.ts'
import type { Action } from '../../../ui/action.ts'
import { moveTopic } from '../move.ts'
import { t } from '../../../texts/texts.ts'

export const resolve: Action<Topic> = {
  name: 'resolve',
  label: (_, { topic }) => (isResolved(topic) ? t('Mark as unresolved') : t('Mark as resolved')),
  icon: 'check',
  may: (app, { channelId, topic }) => mayResolve(app.state.peek(), channelId, topic),
  run: (app, place) => moveTopic(app, place, { ...place, topic: toggleResolved(place.topic) }),
}

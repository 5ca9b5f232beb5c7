/** Recipients of visibility policies for topics: the user's clients. */

import { TOPIC_VISIBILITIES } from '../../packages/rules/topics.ts'
import type { EventOf, NewEvent } from '../domain/events.ts'
import { UserSet } from '../domain/users/user-set.ts'
import { listMutedTopics } from '../state/list-muted-topics.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { type Notifier, toUsers } from './notifier.ts'

type TopicFact = EventOf<'user_topic'>

const MUTED = TOPIC_VISIBILITIES.muted

/** Older clients know only muted topics: they get the whole list when one of them changes. */
export const notifyUserTopics: Notifier<TopicFact> = (facts, change) =>
  [...Map.groupBy(facts, ({ userId }) => userId)].flatMap(([userId, own]) => {
    const audience = toUsers(UserSet.of([userId]))
    const entries: NewEvent[] = own.map((event) => ({ event, audience }))
    if (own.some((fact) => isOfMuted(fact, change.before))) {
      const mutedTopics = listMutedTopics(change.after.getUser(userId), change.after)
      entries.push({ event: { type: 'muted_topics', mutedTopics }, audience })
    }
    return entries
  })

/** Whether a topic is muted before or after. */
function isOfMuted({ userId, userTopic }: TopicFact, before: OrganizationState): boolean {
  const { channelId, topic, visibility } = userTopic
  return visibility === MUTED || before.topicVisibility(userId, channelId, topic) === MUTED
}

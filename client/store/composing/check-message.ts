/** Checks of a message before it is sent. */

import { topicRule } from '../../../packages/rules/messages.ts'
import type { State } from '../apply.ts'
import { channelsById } from '../derived/channels.ts'
import type { DraftPlace } from '../drafts/draft-entry.ts'
import { blankCode } from './blank-code.ts'
import { ALL_PEOPLE } from './find-mentions.ts'

/** The number of people whom one mention of everybody would reach, if it is worth a question. */
export function countMentioned(state: State, place: DraftPlace, content: string): number | undefined {
  if (place.type === 'direct' || !hasWildcard(content)) return undefined
  const count = channelsById(state).get(place.channelId)?.channel.subscriber_count ?? 0
  return count > ASKED_ABOVE ? count : undefined
}

/** A mention of fewer people needs no question. */
const ASKED_ABOVE = 15

/** Whether a text mentions everybody; in code and quotes nobody is notified. */
function hasWildcard(content: string): boolean {
  const text = blankCode(content, { hasQuotes: false })
  return ALL_PEOPLE.some((word) => text.includes(`@**${word}**`))
}

/** Whether messages to a channel have no topic, need one, or may have one. */
export function topicRuleOf(state: State, channelId: number) {
  const topicsPolicy = channelsById(state).get(channelId)?.channel.topics_policy ?? 'inherit'
  return topicRule({ topicsPolicy }, { settings: { topicsPolicy: state.realm_topics_policy ?? '' } })
}

/** Topics, channels and people by typed letters, the best first. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { State } from '../apply.ts'
import { channelsById } from '../derived/channels.ts'
import { directConversations } from '../derived/direct-conversations.ts'
import { directName } from '../derived/direct-name.ts'
import { topicName } from '../derived/topic.ts'
import { conversationKey, unreadOf } from '../derived/unread.ts'
import { usersById } from '../derived/users.ts'
import { type Narrow, ofChannel, ofDirect, ofTopic } from '../narrows/narrow.ts'
import { type LetterMatch, matchLetters } from './match-letters.ts'
import type { SeenTopic } from './suggest-search.ts'
import { t } from '../../texts/texts.ts'

export type FoundKind = 'topic' | 'channel' | 'person'

export interface FoundPlace {
  readonly key: string
  readonly kind: FoundKind
  readonly narrow: Narrow
  readonly name: string
  readonly detail: string
  readonly channelId: number | undefined
  readonly otherIds: readonly number[]
  readonly marks: ReadonlySet<number>
  readonly unreadCount: number
  readonly isCall: boolean
}

/** Places of each kind. */
const EACH_MAX = 5
/** A place with unread messages, or a channel of one's own, comes before others that match as well. */
const BONUS = 5

/** Places with the letters in their names. */
export function findPlaces(
  state: State,
  query: string,
  topics: readonly SeenTopic[],
  limit = EACH_MAX,
): Readonly<Record<FoundKind, readonly FoundPlace[]>> {
  const found = {
    topic: match(query, topicPlaces(state, topics)),
    channel: match(query, channelPlaces(state)),
    person: match(query, peoplePlaces(state)),
  }
  const isScattered = Object.values(found).every((places) => places.every((one) => one.isScattered))
  const best = (places: readonly Match[]) =>
    places
      .filter((one) => one.isScattered === isScattered)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
  return { topic: best(found.topic), channel: best(found.channel), person: best(found.person) }
}

type Candidate = Omit<FoundPlace, 'marks'> & { readonly bonus: number }
type Match = FoundPlace & Pick<LetterMatch, 'score' | 'isScattered'>

function match(query: string, candidates: Iterable<Candidate>): readonly Match[] {
  const found: Match[] = []
  for (const { bonus, ...one } of candidates) {
    const letters = matchLetters(one.name, query)
    if (letters) found.push({ ...one, ...letters, score: letters.score + bonus })
  }
  return found
}

function* topicPlaces(state: State, topics: readonly SeenTopic[]): Iterable<Candidate> {
  const unread = unreadOf(state).channels
  for (const { channelId, topic } of topics) {
    const key = topicKey(topic)
    const own = unread.get(channelId)?.topics.find((one) => topicKey(one.topic) === key)
    const unreadCount = own?.messageIds.length ?? 0
    yield {
      key: `topic ${channelId} ${key}`,
      kind: 'topic',
      narrow: ofTopic(channelId, topic),
      name: topicName(topic),
      detail: channelsById(state).get(channelId)?.channel.name ?? '',
      channelId,
      otherIds: [],
      unreadCount,
      isCall: own?.hasMention ?? false,
      bonus: unreadCount > 0 ? BONUS : 0,
    }
  }
}

function* channelPlaces(state: State): Iterable<Candidate> {
  const unread = unreadOf(state).channels
  for (const [channelId, { channel, subscription }] of channelsById(state)) {
    if (channel.is_archived) continue
    const folder = state.channel_folders?.find(({ id }) => id === channel.folder_id)
    const own = unread.get(channelId)
    yield {
      key: `channel ${channelId}`,
      kind: 'channel',
      narrow: ofChannel(channelId),
      name: channel.name,
      detail: folder?.name ?? '',
      channelId,
      otherIds: [],
      unreadCount: own?.count ?? 0,
      isCall: own?.hasMention ?? false,
      bonus: subscription ? BONUS : 0,
    }
  }
}

/** Everybody, and conversations with several people. */
function* peoplePlaces(state: State): Iterable<Candidate> {
  const unread = unreadOf(state).direct
  const base = { kind: 'person', channelId: undefined } as const
  for (const { user_id: id, full_name: name, is_active: isActive, delivery_email: email } of usersById(
    state,
  ).values()) {
    if (!isActive) continue
    const otherIds = id === state.user_id ? [] : [id]
    const unreadCount = unread.get(conversationKey(otherIds)) ?? 0
    const detail = id === state.user_id ? t('Notes to yourself') : (email ?? '')
    const key = `person ${id}`
    yield {
      ...base,
      key,
      narrow: ofDirect(otherIds),
      name,
      detail,
      otherIds,
      unreadCount,
      isCall: true,
      bonus: BONUS,
    }
  }
  for (const { otherIds, unreadCount } of directConversations(state)) {
    if (otherIds.length < 2) continue
    const name = directName(state, otherIds)
    const key = `people ${conversationKey(otherIds)}`
    yield {
      ...base,
      key,
      narrow: ofDirect(otherIds),
      name,
      detail: '',
      otherIds,
      unreadCount,
      isCall: true,
      bonus: 0,
    }
  }
}

/** The places of narrows that were visited; those that are gone are left out. */
export function placesOf(state: State, narrows: readonly Narrow[]): readonly FoundPlace[] {
  const channels = new Map([...channelPlaces(state)].map((one) => [one.key, one]))
  const people = new Map([...peoplePlaces(state)].map((one) => [one.key, one]))
  return narrows.flatMap(([first, second]): FoundPlace[] => {
    let found: Candidate | undefined
    if (first?.operator === 'dm') {
      const [id = state.user_id, ...others] = first.operand
      found = people.get(others.length === 0 ? `person ${id}` : `people ${conversationKey(first.operand)}`)
    } else if (first?.operator === 'channel' && typeof first.operand === 'number') {
      const channelId = first.operand
      const isTopic = second?.operator === 'topic' && channels.has(`channel ${channelId}`)
      if (isTopic) [found] = topicPlaces(state, [{ channelId, topic: second.operand }])
      else if (!second) found = channels.get(`channel ${channelId}`)
    }
    if (!found) return []
    const { bonus: _, ...place } = found
    return [{ ...place, marks: new Set() }]
  })
}

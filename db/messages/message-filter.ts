/** The conditions of a narrow with resolved names, combined, and their SQL. */

import type { ChannelId, ConversationId, UserId } from '../../server/domain/ids.ts'
import type { Search } from '../../server/domain/search/match-search.ts'
import type { SearchWord } from '../../server/domain/search/search-query.ts'
import { topicKey } from '../../packages/rules/topics.ts'
import type { Sql } from '../connection/connect.ts'
import { matchingProperties, type MessageProperty } from './message-properties.ts'

/** One condition. */
export type MessageCondition = { readonly isNegated: boolean } & (
  | { readonly kind: 'channel'; readonly value: ChannelId }
  | { readonly kind: 'topic'; readonly value: string }
  | { readonly kind: 'sender'; readonly value: UserId }
  /** 0 for partners without a conversation: it matches nothing. */
  | { readonly kind: 'conversation'; readonly value: ConversationId | 0 }
  | { readonly kind: 'direct' }
  | { readonly kind: 'channels'; readonly value: readonly ChannelId[] }
  | { readonly kind: 'conversations'; readonly value: readonly ConversationId[] }
  | { readonly kind: 'id'; readonly value: number }
  | { readonly kind: 'property'; readonly value: MessageProperty }
  | { readonly kind: 'search'; readonly value: readonly SearchWord[] }
)

/**
 * The combined conditions on a message. The SQL of a narrow has one of a few hundred texts, however many terms it has:
 * every connection keeps each text as a prepared statement.
 */
export interface MessageFilter {
  /** Whether the conditions contradict each other. */
  readonly isNothing: boolean
  readonly channelId?: ChannelId
  readonly topic?: string
  readonly senderId?: UserId
  readonly conversationId?: ConversationId | 0
  readonly isDirect?: boolean
  readonly notChannelIds: readonly ChannelId[]
  readonly notTopics: readonly string[]
  readonly notSenderIds: readonly UserId[]
  readonly notConversationIds: readonly (ConversationId | 0)[]
  readonly onlyChannelIds?: readonly ChannelId[]
  readonly onlyConversationIds?: readonly ConversationId[]
  readonly onlyId?: number
  readonly notIds: readonly number[]
  readonly properties: readonly { readonly property: MessageProperty; readonly isNegated: boolean }[]
  /** Compared by the process, with candidates from the index: see `search-messages.ts`. */
  readonly searches: readonly Search[]
}

/** Matches every message. */
export const NO_FILTER: MessageFilter = {
  isNothing: false,
  notChannelIds: [],
  notTopics: [],
  notSenderIds: [],
  notConversationIds: [],
  notIds: [],
  properties: [],
  searches: [],
}

/** Whether the filter selects only a channel, or one topic of it. */
export function isPlace(filter: MessageFilter): boolean {
  const { channelId, topic: _, isNothing, ...others } = filter
  const isPlain = Object.values(others).every((one) => Array.isArray(one) && one.length === 0)
  return channelId !== undefined && !isNothing && isPlain
}

/** Combines all conditions into one filter. */
export function combineConditions(conditions: readonly MessageCondition[]): MessageFilter {
  return conditions.reduce(addCondition, NO_FILTER)
}

function addCondition(filter: MessageFilter, condition: MessageCondition): MessageFilter {
  const { isNegated } = condition
  switch (condition.kind) {
    case 'channel':
      if (isNegated) return { ...filter, notChannelIds: [...filter.notChannelIds, condition.value] }
      return { ...filter, channelId: condition.value, ...contradiction(filter, 'channelId', condition.value) }
    case 'topic': {
      const { value } = condition
      if (isNegated) return { ...filter, notTopics: [...filter.notTopics, value] }
      const isOther = filter.topic !== undefined && topicKey(filter.topic) !== topicKey(value)
      return { ...filter, topic: value, ...(isOther ? { isNothing: true } : {}) }
    }
    case 'sender':
      if (isNegated) return { ...filter, notSenderIds: [...filter.notSenderIds, condition.value] }
      return { ...filter, senderId: condition.value, ...contradiction(filter, 'senderId', condition.value) }
    case 'conversation': {
      const { value } = condition
      if (isNegated) return { ...filter, notConversationIds: [...filter.notConversationIds, value] }
      return { ...filter, conversationId: value, ...contradiction(filter, 'conversationId', value) }
    }
    case 'direct':
      return { ...filter, isDirect: !isNegated, ...contradiction(filter, 'isDirect', !isNegated) }
    case 'channels': {
      const { value } = condition
      if (isNegated) return { ...filter, notChannelIds: [...filter.notChannelIds, ...value] }
      return { ...filter, onlyChannelIds: intersect(filter.onlyChannelIds, value) }
    }
    case 'conversations': {
      const { value } = condition
      if (isNegated) return { ...filter, notConversationIds: [...filter.notConversationIds, ...value] }
      return { ...filter, onlyConversationIds: intersect(filter.onlyConversationIds, value) }
    }
    case 'id':
      if (isNegated) return { ...filter, notIds: [...filter.notIds, condition.value] }
      return { ...filter, onlyId: condition.value, ...contradiction(filter, 'onlyId', condition.value) }
    case 'property':
      return { ...filter, properties: [...filter.properties, { property: condition.value, isNegated }] }
    case 'search':
      return { ...filter, searches: [...filter.searches, { words: condition.value, isNegated }] }
  }
}

function intersect<Id>(known: readonly Id[] | undefined, others: readonly Id[]): readonly Id[] {
  return known === undefined ? others : known.filter((id) => others.includes(id))
}

function contradiction<Field extends keyof MessageFilter>(
  filter: MessageFilter,
  field: Field,
  value: MessageFilter[Field],
): Partial<MessageFilter> {
  return filter[field] === undefined || filter[field] === value ? {} : { isNothing: true }
}

/** The filter as SQL over messages `m`, without its searches. */
export function matchingFilter(sql: Sql, filter: MessageFilter) {
  const all = [sql`true`]
  if (filter.isNothing) all.push(sql`false`)
  if (filter.channelId !== undefined) all.push(sql`m.channel_id = ${filter.channelId}`)
  if (filter.topic !== undefined)
    all.push(sql`m.channel_id is not null and lower(m.topic) = lower(${filter.topic})`)
  if (filter.senderId !== undefined) all.push(sql`m.sender_id = ${filter.senderId}`)
  if (filter.conversationId !== undefined) all.push(sql`m.conversation_id = ${filter.conversationId}`)
  if (filter.isDirect === true) all.push(sql`m.conversation_id is not null`)
  if (filter.isDirect === false) all.push(sql`m.channel_id is not null`)
  // A null, such as the channel of a direct message, matches no exclusion.
  if (filter.notChannelIds.length > 0)
    all.push(sql`(m.channel_id <> all(${[...filter.notChannelIds]}::int[])) is not false`)
  if (filter.notTopics.length > 0)
    all.push(sql`(m.channel_id is null or lower(m.topic) <> all(
      array(select lower(t) from unnest(${[...filter.notTopics]}::text[]) t)))`)
  if (filter.notSenderIds.length > 0) all.push(sql`m.sender_id <> all(${[...filter.notSenderIds]}::int[])`)
  if (filter.notConversationIds.length > 0)
    all.push(sql`(m.conversation_id <> all(${[...filter.notConversationIds]}::int[])) is not false`)
  const { onlyChannelIds, onlyConversationIds, onlyId, notIds, properties } = filter
  // One text for all rare conditions.
  if ([onlyChannelIds, onlyConversationIds, onlyId].some((one) => one !== undefined) || notIds.length > 0)
    all.push(sql`(${onlyChannelIds === undefined} or m.channel_id = any(${[...(onlyChannelIds ?? [])]}::int[]))
      and (${onlyConversationIds === undefined} or m.conversation_id = any(${[...(onlyConversationIds ?? [])]}::int[]))
      and (${onlyId === undefined} or m.id = ${onlyId ?? 0}::bigint) and m.id <> all(${[...notIds]}::bigint[])`)
  if (properties.length > 0) all.push(matchingProperties(sql, properties))
  return all.reduce((conditions, one) => sql`${conditions} and ${one}`)
}

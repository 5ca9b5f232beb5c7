/** Properties of messages in narrows, as SQL: the reader's relation to its topic, and what it contains. */

import { RESOLVED_PREFIX } from '../../packages/rules/topics.ts'
import type { ChannelId, UserId } from '../../server/domain/ids.ts'
import { MENTION_FLAGS, MESSAGE_FLAGS } from '../../server/domain/messages/message-flags.ts'
import type { Sql } from '../connection/connect.ts'
import { isAlerting, isMentioned, unreadIds } from '../unread/unread.ts'

/** Properties with rows per reader, which lead to the messages. */
export type OwnProperty = 'unread' | 'starred' | 'mentioned' | 'alerted'
const OWN: readonly string[] = ['starred', 'alerted', 'mentioned', 'unread'] satisfies OwnProperty[]

/** A property of a message. */
export type MessageProperty =
  | { readonly name: 'resolved' | 'link' | 'image' | 'attachment' | 'reaction' }
  | { readonly name: 'followed'; readonly userId: UserId }
  | { readonly name: OwnProperty; readonly userId: UserId }
  /** In a muted topic, or in one of these channels unless the topic is unmuted or followed. */
  | { readonly name: 'muted'; readonly userId: UserId; readonly mutedChannelIds: readonly ChannelId[] }

/** Visibilities of topics, as stored. */
const MUTED = 1
const FOLLOWED = 3

/** A property that a message must have, or must not have. */
interface WantedProperty {
  readonly property: MessageProperty
  readonly isNegated: boolean
}

/** All properties; one SQL text for any own properties, and one for any others. */
export function matchingProperties(sql: Sql, properties: readonly WantedProperty[]) {
  const isOwn = ({ property }: WantedProperty) => OWN.includes(property.name)
  const [own, others] = [properties.filter(isOwn), properties.filter((one) => !isOwn(one))]
  if (own.length === 0) return matchingOthers(sql, others)
  if (others.length === 0) return matchingOwn(sql, own)
  return sql`${matchingOwn(sql, own)} and ${matchingOthers(sql, others)}`
}

/** The property that leads to all messages of a filter, if one does: the one that selects the fewest. */
export function findOwnLeader({
  properties,
}: {
  readonly properties: readonly WantedProperty[]
}): OwnProperty | undefined {
  const names = properties.filter(({ isNegated }) => !isNegated).map(({ property }) => property.name)
  return OWN.find((name) => names.includes(name as OwnProperty)) as OwnProperty | undefined
}

/** The filter without a property that already selected the messages. */
export function withoutOwn<Filter extends { readonly properties: readonly WantedProperty[] }>(
  filter: Filter,
  name: OwnProperty,
): Filter {
  if (name === 'mentioned' || name === 'alerted') return filter // Whether the reader received them is still to check.
  const isLeader = ({ property, isNegated }: WantedProperty) => property.name === name && !isNegated
  return { ...filter, properties: filter.properties.filter((one) => !isLeader(one)) }
}

/** The ids of a user's messages with a property, after `low`, up to and including `high`. */
export function idsOfOwn(
  sql: Sql,
  name: OwnProperty,
  userId: UserId,
  { low, high }: { readonly low: number; readonly high: number },
) {
  switch (name) {
    case 'unread':
      return unreadIds(sql, userId, high)
    case 'starred':
      return sql`select k.message_id as id from message_marks k
        where k.user_id = ${userId} and k.message_id > ${low}::bigint and k.message_id <= ${high}::bigint
          and k.marks & ${MESSAGE_FLAGS.starred} <> 0`
    case 'mentioned':
      return sql`select n.message_id as id from mentions n
        where n.user_id = ${userId} and n.message_id > ${low}::bigint and n.message_id <= ${high}::bigint
          and n.flags & ${MENTION_FLAGS} <> 0
        union select m.id from messages m where m.is_for_all and m.id > ${low}::bigint and m.id <= ${high}::bigint`
    case 'alerted':
      return sql`select n.message_id as id from mentions n
        where n.user_id = ${userId} and n.message_id > ${low}::bigint and n.message_id <= ${high}::bigint
          and n.flags & ${MESSAGE_FLAGS.has_alert_word} <> 0`
  }
}

function matchingOwn(sql: Sql, properties: readonly WantedProperty[]) {
  const wanted = (name: OwnProperty) =>
    properties.filter(({ property }) => property.name === name).map(({ isNegated }) => (isNegated ? 0 : 1))
  const userId = properties.map(({ property }) => ('userId' in property ? property.userId : 0))[0] as UserId
  // A case evaluates a branch only if its condition holds.
  return sql`(case when ${wanted('starred').length === 0} then true
      else exists (select 1 from message_marks k where k.user_id = ${userId} and k.message_id = m.id
        and k.marks & ${MESSAGE_FLAGS.starred} <> 0)::int = all(${wanted('starred')}::int[]) end)
    and (case when ${wanted('alerted').length === 0} then true
      else (${isAlerting(sql, userId)})::int = all(${wanted('alerted')}::int[]) end)
    and (case when ${wanted('mentioned').length === 0} then true
      else (${isMentioned(sql, userId)})::int = all(${wanted('mentioned')}::int[]) end)
    and (case when ${wanted('unread').length === 0} then true
      else (m.id in (${unreadIds(sql, userId, Number.MAX_SAFE_INTEGER)}))::int = all(${wanted('unread')}::int[]) end)`
}

function matchingOthers(sql: Sql, properties: readonly WantedProperty[]) {
  const named = (name: MessageProperty['name']) => properties.filter(({ property }) => property.name === name)
  /** Required values of a property: 1 for true, 0 for false. */
  const wanted = (name: MessageProperty['name']) => named(name).map(({ isNegated }) => (isNegated ? 0 : 1))
  const topical = properties.map(({ property }) => property).filter((property) => 'userId' in property)
  const userId = topical[0]?.userId ?? 0
  const mutedChannelIds = topical.flatMap((one) => (one.name === 'muted' ? one.mutedChannelIds : []))
  const visibility = sql`(select visibility from user_topics u
    where u.user_id = ${userId} and u.channel_id = m.channel_id and lower(u.topic) = lower(m.topic))`
  return sql`(m.channel_id is not null and starts_with(m.topic, ${RESOLVED_PREFIX}))::int = all(${wanted('resolved')}::int[])
    and (position('<a href=' in m.rendered) > 0)::int = all(${wanted('link')}::int[])
    and (position('class="message_inline_image"' in m.rendered) > 0
      or position('class="inline-image' in m.rendered) > 0)::int = all(${wanted('image')}::int[])
    and (position('="/user_uploads/' in m.rendered) > 0)::int = all(${wanted('attachment')}::int[])
    and (case when ${named('reaction').length === 0} then true
      else exists (select 1 from reactions r where r.message_id = m.id)::int = all(${wanted('reaction')}::int[]) end)
    and (case when ${named('followed').length === 0} then true
      else coalesce(${visibility} = ${FOLLOWED}, false)::int = all(${wanted('followed')}::int[]) end)
    and (case when ${named('muted').length === 0} then true
      else coalesce(${visibility} = ${MUTED},
        coalesce(m.channel_id = any(${mutedChannelIds}::int[]), false))::int = all(${wanted('muted')}::int[]) end)`
}

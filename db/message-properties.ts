/** Properties of messages that narrows ask for, as SQL: what its topic is to the reader, and what it contains. */

import { RESOLVED_PREFIX } from '../server/domain/event-narrow.ts'
import type { ChannelId, UserId } from '../server/domain/ids.ts'
import type { Sql } from './connect.ts'

/** What a message may be or have. */
export type MessageProperty =
  | { readonly name: 'resolved' | 'link' | 'image' | 'attachment' }
  | { readonly name: 'followed'; readonly userId: UserId }
  /** In a muted topic, or in one of these channels unless the topic is unmuted or followed. */
  | { readonly name: 'muted'; readonly userId: UserId; readonly mutedChannelIds: readonly ChannelId[] }

/** Visibilities of topics, as stored. */
const MUTED = 1
const FOLLOWED = 3

/** All properties; one text of SQL for any of them. */
export function matchingProperties(
  sql: Sql,
  properties: readonly { readonly property: MessageProperty; readonly isNegated: boolean }[],
) {
  const named = (name: MessageProperty['name']) => properties.filter(({ property }) => property.name === name)
  /** What the property must be, all of it: 1 for true, 0 for false. */
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
    and (case when ${named('followed').length === 0} then true
      else coalesce(${visibility} = ${FOLLOWED}, false)::int = all(${wanted('followed')}::int[]) end)
    and (case when ${named('muted').length === 0} then true
      else coalesce(${visibility} = ${MUTED},
        coalesce(m.channel_id = any(${mutedChannelIds}::int[]), false))::int = all(${wanted('muted')}::int[]) end)`
}

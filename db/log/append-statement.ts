/** The statement that appends messages, as one text for each set of its parts: putting it together costs more than a row. */

import { tabulated } from '../../server/domain/messages/derived.ts'
import { WAITING } from '../messages/link-previews.ts'
import { PENDING } from '../notifications/pending-notifications.ts'

/**
 * Its parts, one bit each. A part that no message of a batch needs is left out: even without rows, each takes PostgreSQL
 * some microseconds to start.
 */
export const APPEND_PARTS = {
  mentions: 1,
  marks: 2,
  openings: 4,
  removals: 8,
  pending: 16,
  links: 32,
} as const

const MENTIONS = `, mentioned as (
    insert into mentions (user_id, message_id, flags)
    select (mention ->> 0)::int, id, (mention ->> 1)::smallint
    from message, json_array_elements(mentions) mention where mentions is not null
  )`
const MARKS = `, marked as (
    insert into message_sends (sender_id, queue_id, local_id, message_id)
    select "senderId", "queueId", "localId", id from message where "localId" is not null
  )`
const OPENINGS = `, opened as (
    insert into submessages (id, message_id, sender_id, type, content)
    select id, id, "senderId", 'widget', submessage from message where submessage is not null
  )`
/**
 * For deliveries: marks the rows that were due as sent, and logs their removals after the messages. The ids are
 * repeated as a list, so that the rows are found through their index instead of a scan of all pending ones.
 */
const REMOVALS = `, removal as materialized (
    select base + $5 + place as id, r.value -> 'event' as event, r.value ->> 'audience' as audience,
      e."scheduledId", e."sentAsOf"
    from numbered, json_array_elements($6::text::json) with ordinality as r (value, place),
      json_to_record(r.value -> 'event') as e ("scheduledId" bigint, "sentAsOf" bigint)
  ), removed as (
    update scheduled_messages s set sent_id = r.id from removal r
    where s.id = any($7::bigint[]) and s.id = r."scheduledId" and s.changed_id = r."sentAsOf" and s.sent_id is null
      and not s.has_failed
    returning s.id
  ), "loggedRemovals" as (
    insert into event_log (id, event, audience, actor_id) select id, event, audience, null from removal
  )`
/** Notifications: each entry names its message by its place in the batch. Workers are woken for what is due first. */
const pendingPart = (place: number) => `, waiting as (
    ${PENDING.insert(`select base + (entry ->> 0)::bigint as message_id, entry from numbered,
      json_array_elements($${place}::text::json) entry`)}
  )`
/** Links to preview, in the same form. */
const linksPart = (place: number) => `, linking as (
    ${WAITING.insert(`select base + (entry ->> 0)::bigint as message_id, entry from numbered,
      json_array_elements($${place}::text::json) entry`)}
  )`
const CHECKED_REMOVALS = `, (select refuse_write() from removed having count(*) <> $1 - $5)`

/** The database's clock. */
export const CLOCK_SECONDS = 'floor(extract(epoch from clock_timestamp()))::bigint'

/** An `event` with its `stamp`; most already have the right one, which their process predicted. */
export const stamped = (sentAt: string) => `case when ${sentAt} = stamp then event
  else (event::jsonb || jsonb_build_object('sentAt', stamp))::json end`

/**
 * The statement with these parts. Its values: the number of events, their timestamp or null, the last event that the
 * decision knew or null, the messages as JSON; with removals also the number of messages, the removals as JSON, and the
 * ids of what is sent; with notifications also these as JSON; with links also these as JSON.
 */
export const appendStatement = tabulated((parts: number) => {
  const pendingAt = parts & APPEND_PARTS.removals ? 8 : 5
  const linksAt = pendingAt + (parts & APPEND_PARTS.pending ? 1 : 0)
  const part = (name: keyof typeof APPEND_PARTS, text: string) =>
    (parts & APPEND_PARTS[name]) === 0 ? '' : text
  return `
    with numbered as (
      update event_counter set last_id = last_id + $1,
        stamped_at = greatest(stamped_at, coalesce($2::bigint, ${CLOCK_SECONDS})) -- Never before the last one.
      where $3::bigint is null or (structural_id <= $3 and last_id >= $3)
      returning last_id - $1 as base, stamped_at as stamp
    ), message as materialized (
      select base + place as id, stamp, ${stamped('m."sentAt"')} as event, m.*
      from numbered, json_array_elements($4::text::json) with ordinality as t (event, place),
        json_to_record(event) as m ("channelId" integer, "conversationId" integer, topic text,
          "senderId" integer, content text, rendered text, "sentAt" bigint, client text,
          "readById" integer, "unreadFor" integer[], mentions json, "isForAll" boolean, submessage text, "queueId" text,
          "localId" text)
    ), stored as (
      insert into messages (id, channel_id, conversation_id, topic, sender_id, content, rendered,
        sent_at, client, read_by_id, unread_for, mentions, is_for_all)
      select id, "channelId", "conversationId", topic, "senderId", content, rendered, stamp, client,
        "readById", "unreadFor", mentions, coalesce("isForAll", false) from message
    ), logged as (
      insert into event_log (id, event, actor_id) select id, event, null from message
    )${part('mentions', MENTIONS)}${part('marks', MARKS)}${part('openings', OPENINGS)}${part('removals', REMOVALS)}${part('pending', pendingPart(pendingAt))}${part('links', linksPart(linksAt))}
    select base, stamp as "sentAt"${part('removals', CHECKED_REMOVALS)}${part('pending', `, ${PENDING.wake('waiting')}`)}${part('links', `, ${WAITING.wake('linking')}`)} from numbered`
})

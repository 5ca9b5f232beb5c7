/** Writes a month of an organization: messages by the statement of sends, their followers as sends and readers leave them. */

import { appendMessages } from '../../db/log/append-events.ts'
import { connect, type Sql } from '../../db/connection/connect.ts'
import { openConversation } from '../../db/unread/conversations.ts'
import type { MessageSent } from '../../server/domain/events/messages.ts'
import type { ChannelId, ConversationId, UserId } from '../../server/domain/ids.ts'
import { indexMessages } from '../../workers/jobs/upkeep/index-messages.ts'
import { makeSearchTexts } from '../load/search-texts.ts'

/** Working days in a month of 30 days, and in the eight days of the log. */
const WORKING_DAYS = 22
const LOGGED_WORKING_DAYS = 6
/** Of a person on a working day. */
const MESSAGES_PER_DAY = 10
const READS_PER_DAY = 40
const STARS_PER_DAY = 1
/** Shares of messages. */
const DIRECT = 0.3
const MENTIONING = 0.1
const REACTED = 0.3
const EDITED = 0.04
const WITH_FILE = 0.02
/** Messages that a reader marks at once. */
const IDS_PER_READ = 10
const CHANNELS_PER_PERSON = 20
const PARTNERS_PER_PERSON = 30
const QUEUES_PER_PERSON = 2
/** Messages in one statement. */
const BATCH_LENGTH = 256
const DAY_SECONDS = 24 * 3600
const SENT_AT = 1_700_000_000

/** The assumptions, in words. */
export const ASSUMPTIONS =
  `each person sends ${MESSAGES_PER_DAY} messages on each of ${WORKING_DAYS} working days, ${DIRECT * 100} % direct, ` +
  `and marks messages as read ${READS_PER_DAY} times a day; ${MENTIONING * 100} % mention somebody, ${REACTED * 100} % get a ` +
  `reaction, ${EDITED * 100} % are edited, ${WITH_FILE * 100} % link a file; ${CHANNELS_PER_PERSON} channels, ` +
  `${PARTNERS_PER_PERSON} partners and ${QUEUES_PER_PERSON} clients each`

/** Fills a database with users already; returns the number of messages. */
export async function fillMonth(databaseUrl: string, people: number): Promise<number> {
  const sql = connect(databaseUrl, 1, 'bench')
  try {
    await sql`set synchronous_commit = off`
    const channels = Math.ceil(people / 4)
    await addChannels(sql, people, channels)
    const conversations = await openConversations(sql, people)
    const days = (count: number) => people * MESSAGES_PER_DAY * count
    const total = days(WORKING_DAYS)
    const texts = makeSearchTexts(total, 11)
    const send = (count: number) => sendMessages(sql, { people, channels, conversations, texts, count })
    await send(days(WORKING_DAYS - LOGGED_WORKING_DAYS))
    // The log has eight days.
    await sql`delete from event_log`
    await sql`delete from message_sends`
    await send(days(LOGGED_WORKING_DAYS))
    await addFollowers(sql, people)
    while ((await indexMessages(sql)) > 0) {}
    await sql`vacuum full event_log, message_sends, search_changes`
    await sql`vacuum analyze`
    return total
  } finally {
    await sql.end()
  }
}

async function addChannels(sql: Sql, people: number, channels: number): Promise<void> {
  await sql`
    insert into channels (id, name, description, rendered_description, created_at, creator_id, is_private,
      is_history_public, permissions)
    select c, 'channel ' || c, 'Its purpose', '<p>Its purpose</p>', ${SENT_AT}, 1, false, true, '{}'
    from generate_series(1, ${channels}::int) c`
  await sql`
    insert into subscription_spans (channel_id, user_id, from_id)
    select 1 + (u * 7 + n * 17) % ${channels}::int, u, 1
    from generate_series(1, ${people}::int) u, generate_series(1, ${CHANNELS_PER_PERSON}::int) n
    on conflict do nothing`
}

interface Conversation {
  readonly id: ConversationId
  readonly userIds: readonly UserId[]
}

async function openConversations(sql: Sql, people: number): Promise<Conversation[]> {
  const conversations: Conversation[] = []
  for (let user = 1; user <= people; user++) {
    for (let n = 1; n <= PARTNERS_PER_PERSON / 2; n++) {
      const userIds = [user, ((user + n * 31) % people) + 1].sort((a, b) => a - b) as UserId[]
      conversations.push({ id: await openConversation(sql, userIds), userIds })
    }
  }
  return conversations
}

interface Sending {
  readonly people: number
  readonly channels: number
  readonly conversations: readonly Conversation[]
  readonly texts: Iterator<{ readonly topic: string; readonly content: string }>
  readonly count: number
}

async function sendMessages(sql: Sql, sending: Sending): Promise<void> {
  for (let sent = 0; sent < sending.count; sent += BATCH_LENGTH) {
    const length = Math.min(BATCH_LENGTH, sending.count - sent)
    const batch = Array.from({ length }, (_, index) => makeMessage(sending, sent + index))
    await appendMessages(sql, batch, {
      nowSeconds: SENT_AT + Math.floor((sent / sending.count) * DAY_SECONDS),
    })
  }
}

function makeMessage({ people, channels, conversations, texts }: Sending, number: number): MessageSent {
  const { topic, content } = texts.next().value as { topic: string; content: string }
  const place = (number * 7_919) % 100
  const conversation = conversations[(number * 104_729) % conversations.length]
  const isDirect = place < DIRECT * 100 && conversation !== undefined
  const senderId = (isDirect ? conversation.userIds[number % 2] : 1 + ((number * 31) % people)) as UserId
  const mentioned = ((number * 17) % people) + 1
  return {
    type: 'message',
    channelId: isDirect ? null : ((1 + ((number * 613) % channels)) as ChannelId),
    conversationId: isDirect ? conversation.id : null,
    userIds: isDirect ? conversation.userIds : null,
    topic: isDirect ? '' : topic,
    senderId,
    content,
    rendered: `<p>${content}</p>`,
    sentAt: SENT_AT,
    client: 'website',
    readById: senderId,
    queueId: '9d4f2c1e-0000-4000-8000-000000000000',
    localId: `${number}.01`,
    ...(number % 100 < MENTIONING * 100 ? { mentions: [[mentioned as UserId, 8]] as const } : {}),
  }
}

/** Reactions, edits, files, read marks, stars and queues, with the log's entries of the last days. */
async function addFollowers(sql: Sql, people: number): Promise<void> {
  const share = (part: number) => sql`id % 1000 < ${Math.round(part * 1000)}::int`
  await sql`
    insert into reactions (message_id, user_id, emoji_code, reaction_type, emoji_name, added_id)
    select id, 1 + id % ${people}::int, '1f44d', 'unicode_emoji', '+1', id from messages where ${share(REACTED)}`
  await sql`
    insert into message_edits (message_id, id, user_id, edited_at, prev_content, prev_rendered)
    select id, id, sender_id, sent_at, content, rendered from messages where ${share(EDITED)}`
  await sql`
    insert into uploads (owner_id, path, name, content_type, size, state)
    select sender_id, '2/ab/' || md5(id::text) || '/picture ' || id || '.png', 'picture ' || id || '.png', 'image/png',
      200000, 'whole' from messages where ${share(WITH_FILE)}`
  await sql`
    insert into message_uploads (message_id, upload_id)
    select m.id, u.id from messages m join uploads u on u.name = 'picture ' || m.id || '.png'`
  await sql`
    insert into message_marks (user_id, message_id, marks)
    select distinct 1 + id % ${people}::int, id, 2 from messages
    where id % ${MESSAGES_PER_DAY}::int < ${STARS_PER_DAY}::int`
  await sql`
    insert into read_marks (user_id, place, through_id, read_ids)
    select u, p, 1000, array(select generate_series(1001, 1001 + (u * p) % 128))
    from generate_series(1, ${people}::int) u, generate_series(1, ${CHANNELS_PER_PERSON + PARTNERS_PER_PERSON}::int) p`
  await sql`
    insert into event_queues (id, user_id, options, acknowledged_id, idle_timeout_seconds, seen_at)
    select gen_random_uuid(), u, json_build_object('narrow', '[]'::json, 'eventTypes', null, 'padding', repeat('x', 400)),
      1, 600, now()
    from generate_series(1, ${people}::int) u, generate_series(1, ${QUEUES_PER_PERSON}::int)`
  await addEntries(sql, people)
}

/** Entries as the log has them; their numbers follow those of the messages. */
async function addEntries(sql: Sql, people: number): Promise<void> {
  const reads = people * READS_PER_DAY * LOGGED_WORKING_DAYS
  const subscribers = 'A'.repeat(Math.ceil(people / 6)) // A set of users as text has a bit for each.
  await sql`
    insert into event_log (id, event, audience, actor_id)
    select (select last_id from event_counter) + n, json_build_object('type', 'update_message_flags', 'userId', 1 + n % ${people}::int,
      'op', 'add', 'flag', 'read', 'messages', json_build_array(json_build_object('place', 2 * (n % 300),
        'messageIds', array(select generate_series(400000 + n, 400000 + n + ${IDS_PER_READ - 1}::int))))), 'AAAAAAAB', null
    from generate_series(1, ${reads}::int) n`
  await sql`
    insert into event_log (id, event, audience, actor_id)
    select 100000000 + id, json_build_object('type', 'reaction/add', 'messageId', id, 'channelId', 100, 'emojiName', '+1',
      'emojiCode', '1f44d', 'reactionType', 'unicode_emoji', 'userId', 1000), ${subscribers}, null
    from event_log where event ->> 'type' = 'message' and id % 1000 < ${REACTED * 1000}::int`
  await sql`
    insert into event_log (id, event, audience, actor_id)
    select 200000000 + id, json_build_object('type', 'update_message', 'messageId', id, 'messageIds', array[id],
      'channelId', 100, 'userId', 1000, 'editedAt', ${SENT_AT}::bigint, 'content', json_build_object(
        'previous', event ->> 'content', 'previousRendered', event ->> 'rendered', 'content', event ->> 'content',
        'rendered', event ->> 'rendered'), 'holders', json_build_object('unread', ${subscribers}::text)), ${subscribers}, null
    from event_log where event ->> 'type' = 'message' and id < 100000000 and id % 1000 < ${EDITED * 1000}::int`
}

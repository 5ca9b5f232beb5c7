/** Rows that contradict other rows, or the log: what no constraint of the schema holds. */

import type { Transaction } from '../connection/connect.ts'

/** Ids that are listed for one kind of contradiction. */
const IDS_MAX = 1_000

/** Rows that contradict others. */
export interface Contradiction {
  readonly kind: string
  readonly text: string
  readonly ids: readonly string[]
  /** Whether there are more. */
  readonly isCut: boolean
}

const LAST = '(select last_id from event_counter)'
const LOGGED_FROM = '(select coalesce(min(id), 9223372036854775807) from event_log)'
/** References that the schema does not check, since a change writes thousands of such rows. */
const REFERENCES: readonly (readonly [table: string, id: string, column: string, target: string])[] = [
  ['subscription_spans', `channel_id || '/' || user_id`, 'channel_id', 'channels'],
  ['subscription_spans', `channel_id || '/' || user_id`, 'user_id', 'users'],
  ['user_group_members', `group_id || '/' || user_id`, 'group_id', 'user_groups'],
  ['user_group_members', `group_id || '/' || user_id`, 'user_id', 'users'],
  ['message_marks', `message_id || '/' || user_id`, 'message_id', 'messages'],
  ['message_marks', `message_id || '/' || user_id`, 'user_id', 'users'],
  ['message_edits', `message_id || '/' || id`, 'message_id', 'messages'],
  ['message_edits', `message_id || '/' || id`, 'user_id', 'users'],
  ['messages', 'id::text', 'channel_id', 'channels'],
  ['messages', 'id::text', 'sender_id', 'users'],
  ['messages', 'id::text', 'read_by_id', 'users'],
  ['mentions', `message_id || '/' || user_id`, 'user_id', 'users'],
  ['kept_messages', 'id::text', 'sender_id', 'users'],
]
/** Columns with numbers of events. */
const EVENT_IDS: readonly (readonly [table: string, column: string])[] = [
  ['messages', 'id'],
  ['message_edits', 'id'],
  ['submessages', 'id'],
  ['reactions', 'added_id'],
  ['drafts', 'id'],
  ['saved_snippets', 'id'],
  ['scheduled_messages', 'id'],
  ['invitations', 'id'],
  ['client_devices', 'id'],
  ['subscription_spans', 'from_id'],
  ['subscription_spans', 'until_id'],
  ['mutings', 'from_id'],
  ['event_queues', 'acknowledged_id'],
  ['read_marks', 'through_id'],
  ['search_index', 'through_id'],
  ['legal_holds', 'id'],
  ['kept_messages', 'id'],
]
/** Tables whose next id follows from the number of their rows. */
const COUNTED = ['users', 'channels', 'user_groups', 'custom_emoji', 'channel_folders']

const QUERIES: readonly (readonly [kind: string, text: string, query: string])[] = [
  [
    'log gap',
    'the log lacks the events after these',
    `select prev::text as id from (select id, lag(id) over (order by id) as prev from event_log) e where id <> prev + 1`,
  ],
  [
    'log end',
    'the log does not end at its counter',
    `select max(id)::text as id from event_log having max(id) <> ${LAST}`,
  ],
  [
    'counter',
    'the counter knows a later structural event than the last event, or an earlier time than the newest message',
    `select last_id::text as id from event_counter where structural_id > last_id
      or stamped_at < (select sent_at from messages order by id desc limit 1)`,
  ],
  [
    'message without event',
    'these messages are not in the log, which has their numbers',
    `select m.id::text from messages m left join event_log e on e.id = m.id and e.event ->> 'type' = 'message'
      where m.id >= ${LOGGED_FROM} and e.id is null`,
  ],
  [
    'event without message',
    'the log has these messages, and no deletion of them, but the table does not',
    `select e.id::text from event_log e left join messages m on m.id = e.id
      left join (select distinct gone.id::bigint as id
        from event_log d, json_array_elements_text(d.event -> 'messageIds') as gone (id)
        where d.event ->> 'type' = 'delete_message') gone on gone.id = e.id
      where e.event ->> 'type' = 'message' and m.id is null and gone.id is null`,
  ],
  [
    'message differs from event',
    'these messages have another sender or time than in the log',
    `select m.id::text from messages m join event_log e on e.id = m.id
      where e.event ->> 'type' = 'message'
        and ((e.event ->> 'senderId')::int, (e.event ->> 'sentAt')::bigint) is distinct from (m.sender_id, m.sent_at)`,
  ],
  [
    'message order',
    'these messages, which were not imported, are older than the message before them',
    `select id::text from (select id, sent_at, lag(sent_at) over (order by id) as prev from messages
      where id >= ${LOGGED_FROM} and not exists (
        select from event_log e where e.id = messages.id and e.event -> 'imported' is not null)) m
      where sent_at < prev`,
  ],
  [
    'topic',
    'these direct messages have a topic',
    `select id::text from messages where channel_id is null and topic <> ''`,
  ],
  [
    'subscription spans',
    'these subscriptions end before they begin, or overlap',
    `select channel_id || '/' || user_id as id from (
      select *, lead(from_id) over (partition by channel_id, user_id order by from_id) as next from subscription_spans) s
      where until_id < from_id or next < until_id or (until_id is null and next is not null)`,
  ],
  [
    'read marks',
    'these users have marks beyond the log, or a message that is both read and unread',
    `select user_id || '/' || place as id from read_marks
      where exists (select from unnest(read_ids || unread_ids) as one (id) where one.id > ${LAST})
        or read_ids && unread_ids`,
  ],
  [
    'read marks of no place',
    'these marks belong to no channel or conversation',
    `select user_id || '/' || place as id from read_marks where place <> 0 and case when place % 2 = 0
      then not exists (select from channels c where c.id = place / 2)
      else not exists (select from conversations c where c.id = place / 2) end`,
  ],
  [
    'parts',
    'these messages have reactions or submessages, but say that they have none',
    `select id::text from messages m where not has_parts and (
      exists (select from reactions r where r.message_id = m.id) or exists (select from submessages s where s.message_id = m.id))`,
  ],
  [
    'conversation',
    'these conversations have unknown, repeated or unsorted users',
    `select id::text from conversations c where user_ids <> array(select distinct unnest(user_ids) order by 1)
      or exists (select from unnest(user_ids) as one (id) where not exists (select from users u where u.id = one.id))`,
  ],
  [
    'picture',
    'these avatars, emoji and pictures of the organization are missing',
    `select 'user ' || id as id from users where avatar_id is not null and not exists (select from pictures p where p.id = avatar_id)
      union all select 'emoji ' || id from custom_emoji where not exists (select from pictures p where p.id = picture_id)
      union all select 'organization ' || one from organization, unnest(array[icon_id, logo_id, night_logo_id]) as one
        where one is not null and not exists (select from pictures p where p.id = one)`,
  ],
  [
    'kept message',
    'these messages are kept for a legal hold as if they were deleted, but they are not',
    `select id::text from kept_messages where id in (select id from messages)`,
  ],
  [
    'search words',
    'these words of the search index are in no message',
    `select word as id from search_words w where not exists (select from search_postings p where p.term = w.id)`,
  ],
]

/** Finds all contradictions that one statement each can find. */
export async function findContradictions(tx: Transaction): Promise<Contradiction[]> {
  const found: Contradiction[] = []
  for (const [kind, text, query] of [
    ...QUERIES,
    ...referenceQueries(),
    ...eventIdQueries(),
    ...countQueries(),
  ]) {
    const rows = await tx.unsafe<{ id: string }[]>(
      `select id from (${query}) q order by 1 limit ${IDS_MAX + 1}`,
    )
    if (rows.length === 0) continue
    found.push({ kind, text, ids: rows.slice(0, IDS_MAX).map(({ id }) => id), isCut: rows.length > IDS_MAX })
  }
  return found
}

function referenceQueries() {
  return REFERENCES.map(
    ([table, id, column, target]) =>
      [
        'reference',
        `these rows of ${table} name ${target} that do not exist`,
        `select ${id} as id from ${table} one where ${column} is not null
          and not exists (select from ${target} t where t.id = one.${column})`,
      ] as const,
  )
}

function eventIdQueries() {
  return EVENT_IDS.map(
    ([table, column]) =>
      [
        'beyond the log',
        `these values of ${column} in ${table} are later than the last event`,
        `select ${column}::text as id from ${table} where ${column} > ${LAST}`,
      ] as const,
  )
}

function countQueries() {
  return COUNTED.map(
    (table) =>
      [
        'ids',
        `the ids of ${table} have gaps: this is the highest`,
        `select max(id)::text as id from ${table} having max(id) <> count(*)`,
      ] as const,
  )
}

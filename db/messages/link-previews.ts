/** Previews of links: what addresses show, and the messages that wait for previews. */

import { hash } from 'node:crypto'
import type { ChannelId, EventId, MessageId } from '../../server/domain/ids.ts'
import {
  type LinkPreview,
  PREVIEWS_MAX,
  type PreviewedLink,
  type WaitingLinks,
} from '../../server/domain/messages/link-previews.ts'
import type { Secret } from '../../server/domain/secret.ts'
import type { Sql } from '../connection/connect.ts'
import { encodeEntries, type EntryTable, storeEntries } from '../log/message-entries.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'
import { claimedFor, findNextDue } from '../due-work.ts'
import { removeCall, requireCall } from './call-messages.ts'
import { StaleMessageError } from './stale-message.ts'

/** The channel of the database that wakes workers for messages with links. */
export const PREVIEWS_NOTICE = 'parley_previews'
/** Seconds after which a claim expires whose worker hangs. Three requests for each link end long before. */
const CLAIM_SECONDS = 120
/** Claims of a message: with more, something about it ends its workers. */
const CLAIMS_MAX = 5
/** Seconds after which a message is given up: its conversation has gone on. */
const AGE_SECONDS_MAX = 3_600
/** Seconds for which an address is not fetched again, and the same after a failure. */
const LIFE_SECONDS = 86_400
const FAILURE_LIFE_SECONDS = 3_600
/** Seconds after that until an entry is removed, so that its thumbnail outlives all work that has read it. */
const REST_SECONDS = 86_400
/** Addresses in the cache, of a kilobyte each at most; beyond them those that expire first are removed. */
const ENTRIES_MAX = 50_000

type Waiting = Secret<WaitingLinks>

/** The links of a batch of messages as JSON; undefined without any. Places count from 1. */
export function encodeWaiting(batch: readonly (Waiting | undefined)[]): string | undefined {
  const entries = batch.flatMap((waiting, index) => {
    const links = waiting?.reveal()
    return links ? [[index + 1, links.ownLength, links.urls]] : []
  })
  return encodeEntries(entries)
}

/** The table of messages that wait. */
export const WAITING: EntryTable = {
  insert: (entries) => `
  insert into waiting_previews (message_id, own_length, urls)
  select message_id, (entry ->> 1)::int, array(select json_array_elements_text(entry -> 2)) from (${entries}) e
  returning 1`,
  wake: (inserted) =>
    `(select count(pg_notify('${PREVIEWS_NOTICE}', '')) from (select from ${inserted} limit 1) w) as previewed`,
}

/** Stores the links of one message, in the batch that logs it. */
export const storeWaiting = (
  writes: WriteBatch,
  id: InSql<EventId | MessageId>,
  waiting: Waiting | undefined,
) => storeEntries(writes, id, encodeWaiting([waiting]), WAITING)

/** Replaces the links and the thumbnails of an edited message, and forgets its call. */
export function replacePreviews(
  writes: WriteBatch,
  messageId: MessageId,
  { waiting, pictureIds = [] }: { waiting?: Waiting | undefined; pictureIds?: readonly string[] | undefined },
): void {
  const { sql } = writes
  writes.add(sql`delete from waiting_previews where message_id = ${messageId}`)
  removeCall(writes, messageId)
  writes.add(sql`delete from preview_pictures where message_id = ${messageId}`)
  storePictures(writes, messageId, pictureIds)
  storeWaiting(writes, messageId, waiting)
}

/** The thumbnails must still be there: an old one may have been removed since it was read. */
function storePictures(writes: WriteBatch, messageId: MessageId, ids: readonly string[]): void {
  if (ids.length === 0) return
  const { sql } = writes
  writes.require(
    sql`(select count(*) from pictures where id = any(${[...ids]}::text[]) and variant = 'preview') = ${ids.length}`,
    () => new StaleMessageError('a thumbnail was removed'),
  )
  writes.add(sql`insert into preview_pictures (message_id, picture_id)
    select ${messageId}, unnest(${[...ids]}::text[]) on conflict do nothing`)
}

/**
 * Stores the HTML of a message with previews or with its call, if the message is still as it was read. Previews end its
 * waiting; a call must still be that of the message.
 */
export function storeRendering(
  writes: WriteBatch,
  {
    messageId,
    content,
    previousRendered,
    rendered,
    pictureIds,
    channelId,
    waitingId,
    callId,
  }: {
    readonly messageId: MessageId
    readonly content: string
    readonly previousRendered: string
    readonly rendered: string
    readonly pictureIds: readonly string[]
    readonly channelId: ChannelId | null
    readonly waitingId?: Secret<string>
    readonly callId?: Secret<string>
  },
): void {
  const { sql } = writes
  const refuse = () => new StaleMessageError()
  if (waitingId)
    writes.change(
      sql`delete from waiting_previews where message_id = ${messageId} and id = ${waitingId.reveal()}`,
      1,
      refuse,
    )
  if (callId) requireCall(writes, messageId, callId.reveal())
  writes.change(
    sql`update messages set rendered = ${rendered}
      where id = ${messageId} and content = ${content} and rendered = ${previousRendered}
        and channel_id is not distinct from ${channelId}::int`,
    1,
    refuse,
  )
  storePictures(writes, messageId, pictureIds)
}

/** A message that a worker has claimed. */
export interface ClaimedLinks extends WaitingLinks {
  readonly messageId: MessageId
  /** Of the row: an edit of the message makes another one. */
  readonly id: string
}

/** Claims the message that has waited longest; undefined if none is due. Several workers share them. */
export async function claimWaiting(sql: Sql): Promise<ClaimedLinks | undefined> {
  const [row] = await sql<ClaimedLinks[]>`
    with due as materialized (
      select message_id from waiting_previews
      where due_at <= now() and ${isTimely(sql)}
      order by due_at, message_id limit 1 for update skip locked
    )
    update waiting_previews p set tries = tries + 1, ${claimedFor(sql, CLAIM_SECONDS)} from due
    where p.message_id = due.message_id
    returning p.message_id as "messageId", p.id, urls, own_length as "ownLength"`
  return row
}

const isTimely = (sql: Sql) =>
  sql`asked_at > now() - ${AGE_SECONDS_MAX} * interval '1 second' and tries < ${CLAIMS_MAX}`

/** Ends the waiting of a message without previews, unless it was edited since it was claimed. */
export async function settleWaiting(
  sql: Sql,
  { messageId, id }: Pick<ClaimedLinks, 'messageId' | 'id'>,
): Promise<void> {
  await sql`delete from waiting_previews where message_id = ${messageId} and id = ${id}`
}

/** When the next message is due; undefined for none. */
export const findNextWaiting = (sql: Sql) => findNextDue(sql, sql`waiting_previews where ${isTimely(sql)}`)

/** The cached results of addresses that have not expired: a preview, or null for a failure. */
export async function findPreviews(
  sql: Sql,
  urls: readonly string[],
): Promise<ReadonlyMap<string, LinkPreview | null>> {
  const hashes = urls.slice(0, PREVIEWS_MAX).map(hashOf)
  const rows = await sql<{ place: number; preview: LinkPreview | null }[]>`
    select wanted.place::int as place, preview
    from unnest(${hashes}::text[]) with ordinality as wanted (hex, place)
      join link_previews on url_hash = decode(hex, 'hex')
    where expires_at > now()`
  return new Map(rows.map(({ place, preview }) => [urls[place - 1] as string, preview]))
}

/** The known previews of addresses, in their order. */
export const inOrder = (
  urls: readonly string[],
  known: ReadonlyMap<string, LinkPreview | null | undefined>,
): PreviewedLink[] =>
  urls.flatMap((url) => {
    const preview = known.get(url)
    return preview ? [{ url, preview }] : []
  })

/** Stores what an address shows; null for a failure. */
export async function storePreview(sql: Sql, url: string, preview: LinkPreview | null): Promise<void> {
  const seconds = preview ? LIFE_SECONDS : FAILURE_LIFE_SECONDS
  const row = preview ? sql.json(preview as never) : null
  await sql`
    insert into link_previews (url_hash, preview, picture_id, expires_at)
    values (decode(${hashOf(url)}, 'hex'), ${row}, ${preview?.picture?.id ?? null},
      now() + ${seconds} * interval '1 second')
    on conflict (url_hash) do update set preview = excluded.preview, picture_id = excluded.picture_id,
      expires_at = excluded.expires_at`
}

const hashOf = (url: string) => hash('sha256', url, 'hex')

/** Removes entries that have expired long ago, or that are too many; some at a time. */
export async function removeOldPreviews(
  sql: Sql,
  countMax: number,
  entriesMax = ENTRIES_MAX,
): Promise<number> {
  const { count } = await sql`
    with old as materialized (
      select url_hash from link_previews
      where expires_at < now() - ${REST_SECONDS} * interval '1 second'
        or expires_at <= (select expires_at from link_previews order by expires_at desc offset ${entriesMax} limit 1)
      order by expires_at limit ${countMax} for update skip locked
    )
    delete from link_previews where url_hash in (table old)`
  return count
}

/** Removes messages that have waited too long, or ended their workers; some at a time. */
export async function removeOldWaiting(sql: Sql, countMax: number): Promise<number> {
  const { count } = await sql`
    with old as materialized (
      select message_id from waiting_previews where due_at <= now() and not (${isTimely(sql)})
      limit ${countMax} for update skip locked
    )
    delete from waiting_previews where message_id in (table old)`
  return count
}

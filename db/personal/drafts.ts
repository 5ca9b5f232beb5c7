/** Drafts, which are private to their user. */

import type { Draft, DraftContent } from '../../server/domain/personal/drafts.ts'
import type { ChannelId, DraftId, EventId, UserId } from '../../server/domain/ids.ts'
import { DRAFTS_MAX } from '../../server/domain/limits.ts'
import type { Sql } from '../connection/connect.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** A user has reached the limit of drafts. */
export class TooManyDraftsError extends Error {
  override readonly name = 'TooManyDraftsError'
}

/** A draft does not exist, or belongs to another user. */
export class MissingDraftError extends Error {
  override readonly name = 'MissingDraftError'
}

/** The number of a user's drafts, for a refusal that does not lock the log. */
export async function countDrafts(sql: Sql, userId: UserId): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from drafts where user_id = ${userId}`
  return row?.count ?? 0
}

/** Stores new drafts with consecutive ids. The log is locked until the commit, so the count holds. */
export function storeDrafts(
  writes: WriteBatch,
  firstId: InSql<EventId>,
  userId: UserId,
  drafts: readonly DraftContent[],
): void {
  writes.change(
    writes.sql`
    insert into drafts (id, user_id, channel_id, topic, user_ids, content, edited_at)
    select ${firstId} + place - 1, ${userId}, "channelId", topic, "userIds", content, "editedAt"
    from json_array_elements(${JSON.stringify(drafts.map(columnsOf))}::text::json) with ordinality as t (draft, place),
      json_to_record(draft)
        as d ("channelId" integer, topic text, "userIds" integer[], content text, "editedAt" bigint)
    where (select count(*) from drafts where user_id = ${userId}) + ${drafts.length} <= ${DRAFTS_MAX}`,
    drafts.length,
    () => new TooManyDraftsError(`user ${userId} would have more than ${DRAFTS_MAX} drafts`),
  )
}

/** Replaces a draft. */
export function storeDraftChange(
  writes: WriteBatch,
  userId: UserId,
  draftId: DraftId,
  draft: DraftContent,
): void {
  const { channelId, topic, userIds, content, editedAt } = columnsOf(draft)
  writes.change(
    writes.sql`
    update drafts set channel_id = ${channelId}, topic = ${topic}, user_ids = ${userIds}, content = ${content},
      edited_at = ${editedAt}
    where id = ${draftId} and user_id = ${userId}`,
    1,
    () => new MissingDraftError(`user ${userId} has no draft ${draftId}`),
  )
}

export function removeDraft(writes: WriteBatch, userId: UserId, draftId: DraftId): void {
  writes.change(
    writes.sql`delete from drafts where id = ${draftId} and user_id = ${userId}`,
    1,
    () => new MissingDraftError(`user ${userId} has no draft ${draftId}`),
  )
}

/** A user's drafts, the last edited one at the end, without any that an event after `asOf` created. */
export async function readDrafts(sql: Sql, userId: UserId, asOf: EventId): Promise<Draft[]> {
  const rows = await sql<
    {
      id: DraftId
      channelId: ChannelId | null
      topic: string
      userIds: UserId[] | null
      content: string
      editedAt: number
    }[]
  >`
    select id, channel_id as "channelId", topic, user_ids as "userIds", content, edited_at as "editedAt"
    from drafts where user_id = ${userId} and id <= ${asOf} order by edited_at, id`
  return rows.map(({ channelId, topic, userIds, ...draft }) => ({
    ...draft,
    target:
      channelId !== null
        ? { kind: 'channel', channelId, topic }
        : userIds !== null
          ? { kind: 'direct', userIds }
          : { kind: 'unknown' },
  }))
}

function columnsOf({ target, content, editedAt }: DraftContent) {
  return {
    channelId: target.kind === 'channel' ? target.channelId : null,
    topic: target.kind === 'channel' ? target.topic : '',
    userIds: target.kind === 'direct' ? [...target.userIds] : null,
    content,
    editedAt,
  }
}

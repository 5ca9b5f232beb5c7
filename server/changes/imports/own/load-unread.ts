/** Marks messages as unread for the people who had not read them. */

import { findImported, importKey, type ImportKey } from '../../../../db/imports/imported-ids.ts'
import { findUnreadDetails } from '../../../../db/imports/imported-unread.ts'
import { answering } from '../../../decisions/decision.ts'
import type { Fact } from '../../../domain/events.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { Loading } from '../loading.ts'
import type { ForeignUnread } from './records.ts'

/** Messages of one event: it has the place of each, some hundred bytes. */
const BATCH = 500

/**
 * The last event before the first run of an export: only what came after it becomes unread, since people may have read
 * the messages of an earlier export here.
 */
export async function noteBegin({ source, target }: Loading): Promise<number> {
  if (!source.unread) return 0
  const key = importKey(source.origin, 'begun', source.unread.madeAt)
  const begun = (await findImported(target.sql, [key])).get(key)
  if (begun !== undefined) return begun
  const { appliedId } = target.state
  await target.change(
    () => answering(undefined, []),
    () => [[key, appliedId]],
  )
  return appliedId
}

/** Marks what no earlier run has marked; `begunId` is the answer of `noteBegin`. */
export async function loadUnread(loading: Loading, begunId: number): Promise<void> {
  const { source, people, report } = loading
  for await (const unread of source.unread?.read() ?? []) {
    const userId = people.find(unread.user)
    if (userId === undefined) {
      report.lose({
        place: undefined,
        reason: 'unread messages of somebody who did not come',
        example: unread.user,
      })
      continue
    }
    for (let start = 0; start < unread.messages.length; start += BATCH) {
      const messages = unread.messages.slice(start, start + BATCH)
      await mark(loading, { ...unread, messages }, { userId, begunId })
    }
  }
}

async function mark(
  { source, target }: Loading,
  unread: ForeignUnread,
  { userId, begunId }: { readonly userId: UserId; readonly begunId: number },
): Promise<void> {
  const { user, place, messages } = unread
  const keyOf = (name: string, message: string) => importKey(source.origin, name, place, message)
  const batchKey = importKey(source.origin, 'unread', user, place, messages.join())
  if ((await findImported(target.sql, [batchKey])).has(batchKey)) return
  const found = await findUnreadDetails(
    target.sql,
    userId,
    messages.map((message): ImportKey => keyOf('message', message)),
  )
  // Of channels that they are not in, everything is read.
  const held = found.filter(
    ({ details: { messageId, channelId } }) =>
      messageId > begunId &&
      (channelId === null || target.state.getChannel(channelId).subscribers.has(userId)),
  )
  const facts: Fact[] = [...Map.groupBy(held, ({ place: here }) => here)].map(([here, some]) => ({
    type: 'update_message_flags',
    userId,
    op: 'remove',
    flag: 'read',
    messages: [{ place: here, messageIds: some.map(({ details }) => details.messageId) }],
    details: some.map(({ details }) => details),
  }))
  await target.change(
    () => answering(undefined, facts),
    () => [[batchKey, 0]],
  )
}

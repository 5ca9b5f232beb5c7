/** Marks messages as unread for the people who had not read them. */

import { findImported, importKey, type ImportKey } from '../../../../db/imports/imported-ids.ts'
import { findUnreadDetails } from '../../../../db/imports/imported-unread.ts'
import { answering } from '../../../decisions/decision.ts'
import type { Fact } from '../../../domain/events.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { Loading } from '../loading.ts'
import type { ForeignUnread } from './records.ts'

/** Messages of one event: it has the place of each, some hundred bytes. */
const MESSAGES = 500
/** Bounds of one change, which holds the log meanwhile: most people have few unread messages in each of many places. */
const BATCH = { parts: 100, messages: 5_000 }

/** Unread messages of somebody in one place, and the key of what marks them. */
interface Part {
  readonly unread: ForeignUnread
  readonly userId: UserId
  readonly key: ImportKey
}

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
  let batch: Part[] = []
  let messages = 0
  for await (const part of readParts(loading)) {
    batch.push(part)
    messages += part.unread.messages.length
    if (batch.length < BATCH.parts && messages < BATCH.messages) continue
    await markBatch(loading, batch, begunId)
    batch = []
    messages = 0
  }
  await markBatch(loading, batch, begunId)
}

async function* readParts({ source, people, report }: Loading): AsyncGenerator<Part> {
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
    for (let start = 0; start < unread.messages.length; start += MESSAGES) {
      const messages = unread.messages.slice(start, start + MESSAGES)
      const key = importKey(source.origin, 'unread', unread.user, unread.place, messages.join())
      yield { unread: { ...unread, messages }, userId, key }
    }
  }
}

async function markBatch(loading: Loading, batch: readonly Part[], begunId: number): Promise<void> {
  const { target } = loading
  const done = await findImported(
    target.sql,
    batch.map(({ key }) => key),
  )
  const fresh = [...new Map(batch.map((one) => [one.key, one])).values()].filter(({ key }) => !done.has(key))
  if (fresh.length === 0) return
  const facts: Fact[] = []
  for (const part of fresh) facts.push(...(await factsOf(loading, part, begunId)))
  await target.change(
    () => answering(undefined, facts),
    () => fresh.map(({ key }) => [key, 0] as const),
  )
}

async function factsOf(
  { source, target }: Loading,
  { unread: { place, messages }, userId }: Part,
  begunId: number,
): Promise<Fact[]> {
  const found = await findUnreadDetails(
    target.sql,
    userId,
    messages.map((message): ImportKey => importKey(source.origin, 'message', place, message)),
  )
  // Of channels that they are not in, everything is read.
  const held = found.filter(
    ({ details: { messageId, channelId } }) =>
      messageId > begunId &&
      (channelId === null || target.state.getChannel(channelId).subscribers.has(userId)),
  )
  return [...Map.groupBy(held, ({ place: here }) => here)].map(([here, some]) => ({
    type: 'update_message_flags',
    userId,
    op: 'remove',
    flag: 'read',
    messages: [{ place: here, messageIds: some.map(({ details }) => details.messageId) }],
    details: some.map(({ details }) => details),
  }))
}

/** Ends the following of topics whose messages are all deleted. */

import type { Sql } from '../../../db/connection/connect.ts'
import { type FollowedTopic, readFollowedTopics } from '../../../db/personal/user-topics.ts'
import { submitForServer } from '../../../server/changes/submit.ts'
import { decideForgetting, forgottenBefore } from '../../../server/decisions/topics/forget-topics.ts'
import type { OpenSender } from '../share-sender.ts'

/** Topics per query. */
const PAGE_LENGTH = 2_000
/** Topics in one change, each with an event of its own; it locks the log for some milliseconds. */
const BATCH_LENGTH_MAX = 50

/** Forgets the topics at a time; returns their number. The sender is opened only if there are any. */
export async function forgetTopics(
  sql: Sql,
  openSender: OpenSender,
  nowSeconds: number,
  signal: AbortSignal,
): Promise<number> {
  const before = forgottenBefore(nowSeconds)
  let total = 0
  let after: FollowedTopic | undefined
  do {
    const page = await readFollowedTopics(sql, after, PAGE_LENGTH)
    const empty = page.filter(({ hasMessages, updatedAt }) => !hasMessages && updatedAt < before)
    total += await forget(empty, openSender, signal)
    after = page.length < PAGE_LENGTH ? undefined : page.at(-1)
  } while (after && !signal.aborted)
  return total
}

async function forget(
  topics: readonly FollowedTopic[],
  openSender: OpenSender,
  signal: AbortSignal,
): Promise<number> {
  if (topics.length === 0) return 0
  const sender = await openSender()
  await sender.catchUp()
  let start = 0
  for (; start < topics.length && !signal.aborted; start += BATCH_LENGTH_MAX) {
    const part = topics.slice(start, start + BATCH_LENGTH_MAX)
    await submitForServer(sender.services, (scope) => decideForgetting(scope, part))
    await sender.tell()
  }
  return Math.min(start, topics.length)
}

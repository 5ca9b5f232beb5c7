/** Goes through outages, one after another, while people write and listen, and says what each meant for them. */

import type { Sql } from '../../db/connection/connect.ts'
import { isUnavailable } from '../../db/connection/unavailable.ts'
import { pollUntil, STILL_MS_MAX } from '../services/poll-until.ts'
import type { Outage } from './part.ts'
import type { Acknowledged, People } from './people.ts'

/** Longest time in which people can write nothing. */
export const SILENCE_MS_MAX = 30_000
/** Messages that show that writing goes on. */
const WRITTEN = 50

/** The consequences of an outage for people. */
export interface Effect {
  readonly name: string
  /** Milliseconds of the longest time in which nothing was acknowledged. */
  readonly silenceMs: number
  readonly acknowledged: number
  /** Acknowledged messages, also scheduled ones, that are not stored, or more than once. */
  readonly lost: number
  readonly doubled: number
  /** Whether each client heard new messages again, by itself. */
  readonly areBack: boolean
}

/** Whether people were served as promised. */
export function isGood({ silenceMs, lost, doubled, areBack }: Effect): boolean {
  return silenceMs <= SILENCE_MS_MAX && lost === 0 && doubled === 0 && areBack
}

/** Brings one outage about and ends it. */
export async function watchOutage(outage: Outage, people: People, sql: Sql): Promise<Effect> {
  // Messages from just before the end of a part are the ones that are lost most easily.
  const [sent, scheduled] = [people.acknowledged.length, people.scheduled.length]
  await people.untilWritten(WRITTEN)
  const sinceMs = performance.now()
  await outage.begin()
  await people.untilWritten(WRITTEN)
  const areBack = await people.untilBack()
  await outage.end()
  await people.untilWritten(WRITTEN)
  const silenceMs = people.longestSilence(sinceMs)
  const ofSent = people.acknowledged.slice(sent)
  const found = await compare(sql, ofSent, people.scheduled.slice(scheduled))
  return { name: outage.name, silenceMs, acknowledged: ofSent.length, areBack, ...found }
}

/** Counts what is stored of what was acknowledged. */
async function compare(
  sql: Sql,
  sent: readonly Acknowledged[],
  scheduled: readonly Acknowledged[],
): Promise<{ lost: number; doubled: number }> {
  const wanted = [...sent, ...scheduled].map(({ content }) => content)
  const count = async (contents: readonly string[]) => {
    const rows = await sql<{ content: string; count: number }[]>`
      select content, count(*)::int as count from messages where content = any(${contents}::text[]) group by 1`
    return new Map(rows.map((row) => [row.content, row.count]))
  }
  const counted = () =>
    pollUntil('the database answers', () =>
      count(wanted).catch((error: unknown) => {
        if (isUnavailable(error)) return undefined // A connection to the earlier primary.
        throw error
      }),
    )
  const endMs = performance.now() + STILL_MS_MAX
  const stored = await pollUntil('scheduled messages arrive', async () => {
    const now = await counted()
    const isOver = scheduled.every(({ content }) => now.has(content)) || performance.now() > endMs
    return isOver ? now : undefined
  })
  return {
    lost: wanted.filter((content) => !stored.has(content)).length,
    doubled: [...stored.values()].filter((times) => times > 1).length,
  }
}

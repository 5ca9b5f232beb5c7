/** The matches of a search, sorted by how well they fit: the newest ones are compared with each other. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MessageRun } from '../../../db/messages/message-chunks.ts'
import { readMessagesBefore } from '../../../db/messages/message-pages.ts'
import type { MessageQuery } from '../../../db/messages/message-query.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import type { Message } from '../../domain/entities.ts'
import { RANKED_MATCHES_MAX } from '../../domain/limits.ts'
import { scoreMatches } from '../../domain/search/rank-matches.ts'

/** Characters that are scored in one turn of the event loop: some milliseconds. */
const TURN_LENGTH_MAX = 100_000

/** The best matches, the best one first. */
export interface FittingMessages {
  readonly messages: readonly Message[]
  /** Matches that were compared with each other. */
  readonly rankedCount: number
  /** Whether these are all matches, and not only the newest ones. */
  readonly isAllFound: boolean
}

/** Whether the query has words that a message can fit better or worse. */
export function hasWords({ filter }: MessageQuery): boolean {
  return filter.searches.some(({ isNegated, words }) => !isNegated && words.length > 0)
}

/** The matches that are compared with each other. */
export const readMatches = (sql: Sql, query: MessageQuery): Promise<MessageRun> =>
  readMessagesBefore(sql, query, query.reader.asOf, RANKED_MATCHES_MAX)

/** Sorts matches, in several turns. It needs no connection: call it when theirs is given back. */
export async function rankByFit(
  { messages, isComplete }: MessageRun,
  { filter }: MessageQuery,
  count: number,
): Promise<FittingMessages> {
  const score = scoreMatches(filter.searches)
  const ranked: { readonly message: Message; readonly score: number }[] = []
  let length = 0
  for (const message of messages) {
    const topic = message.destination.kind === 'channel' ? message.destination.topic : ''
    ranked.push({ message, score: score(topic, message.content) })
    length += message.content.length
    if (length < TURN_LENGTH_MAX) continue
    length = 0
    await nextTurn()
  }
  // Of equal ones the newest stays first: sorting keeps the order.
  const best = ranked.toSorted((a, b) => b.score - a.score).slice(0, count)
  return {
    messages: best.map(({ message }) => message),
    rankedCount: ranked.length,
    isAllFound: isComplete,
  }
}

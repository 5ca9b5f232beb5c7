/**
 * Answers questions about the state of this process: a checker compares it with the tables.
 *
 * Question and answers are notices of the database, which all processes share. Parts of the state are hashed one in each
 * turn, so that clients do not wait; each hash says which position of the log it belongs to.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Sql } from '../../db/connection/connect.ts'
import type { EventId } from '../domain/ids.ts'
import type { Feed } from '../log/feed.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { digestPart, listParts } from '../state/state-parts.ts'

const QUESTION = 'parley_check'
const ANSWER = 'parley_checked'
/** A notice has at most 8,000 bytes, and a part takes some sixty. */
const PARTS_EACH = 50
/** Milliseconds without an answer after which the remaining processes are given up. */
const ANSWER_MS_MAX = 10_000

interface Question {
  readonly id: string
  /** Processes answer with this position of the log, or a later one. */
  readonly afterId: EventId
  /** The day for traffic, counted from 1970 in UTC. */
  readonly today: number
}

/** The hash of one part of a process's state. */
export interface PartAnswer {
  readonly process: string
  readonly part: string
  readonly appliedId: EventId
  readonly digest: string
}

interface Answer {
  readonly id: string
  readonly process: string
  readonly parts: readonly (readonly [part: string, appliedId: EventId, digest: string])[]
  readonly isLast: boolean
}

/** The state of a process. */
export interface AnswerOptions {
  readonly sql: Sql
  readonly state: OrganizationState
  readonly process: string
  /** The feed of the state. */
  readonly feed: Feed
  readonly onError: (error: unknown) => void
}

/** Answers questions until the pool ends. */
export async function answerChecks({ sql, state, process, feed, onError }: AnswerOptions): Promise<void> {
  const answer = async ({ id, afterId, today }: Question) => {
    await feed.reached(afterId)
    const names = listParts(state)
    for (let start = 0; start < names.length; start += PARTS_EACH) {
      const parts: Answer['parts'][number][] = []
      for (const part of names.slice(start, start + PARTS_EACH)) {
        parts.push([part, state.appliedId, digestPart(state, part, today)])
        await nextTurn()
      }
      const isLast = start + PARTS_EACH >= names.length
      await sql.notify(ANSWER, JSON.stringify({ id, process, parts, isLast } satisfies Answer))
    }
  }
  let last = Promise.resolve()
  await sql.listen(QUESTION, (text) => {
    last = last.then(() => answer(JSON.parse(text) as Question)).catch(onError)
  })
}

/** The answers, and how many processes gave all of theirs. */
export interface Answers {
  readonly parts: readonly PartAnswer[]
  readonly processes: number
}

/** Asks all running processes; `count` is their number. */
export async function askProcesses(sql: Sql, question: Question, count: number): Promise<Answers> {
  const parts: PartAnswer[] = []
  let processes = 0
  let answeredMs = performance.now()
  const listening = await sql.listen(ANSWER, (text) => {
    const answer = JSON.parse(text) as Answer
    if (answer.id !== question.id) return
    for (const [part, appliedId, digest] of answer.parts)
      parts.push({ process: answer.process, part, appliedId, digest })
    if (answer.isLast) processes++
    answeredMs = performance.now()
  })
  await sql.notify(QUESTION, JSON.stringify(question))
  while (processes < count && performance.now() - answeredMs < ANSWER_MS_MAX) await sql`select pg_sleep(0.02)`
  await listening.unlisten()
  return { parts, processes }
}

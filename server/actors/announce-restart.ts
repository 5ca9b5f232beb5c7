/**
 * Tells clients that the server they are used to was started anew, or is another release now.
 *
 * Every queue outlives every process, so this is an event of the log like any other: each queue that was there
 * before has it once, whichever process serves it. Of processes that start one after another the first tells it.
 */

import { hasQueues } from '../../db/queues.ts'
import type { Sql } from '../../db/connect.ts'
import type { Generation } from '../domain/generation.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { Committer } from './committer.ts'
import type { Decision } from '../decisions/decision.ts'

/** A process that starts. */
export interface Start {
  readonly release: string
  /** What clients are told of the release, by the names they know. */
  readonly facts: Readonly<Record<string, string | number>>
  /** UNIX seconds at which it began to start. */
  readonly startedAt: number
  /** Whether no process ran that was there before it. */
  readonly isFirst: boolean
}

/** Tells it where there is anybody to be told, unless another process has. */
export async function announceRestart(sql: Sql, committer: Committer, start: Start): Promise<void> {
  if (!(await hasQueues(sql))) return
  await committer.submit({ kind: 'structure', decide: (state) => decideRestart(state, start) })
}

function decideRestart(state: OrganizationState, start: Start): Decision<void> {
  const reply = () => undefined
  if (!state.organization || !isNews(state.generation, start)) return { events: [], reply }
  const number = Math.max(start.startedAt, (state.generation?.number ?? 0) + 1)
  const generation = { number, release: start.release }
  // Beside others, of which it is not known yet what release they are, it is noted and told to nobody.
  const isTold = start.isFirst || state.generation !== undefined
  const audience = isTold
    ? ({ kind: 'users', users: state.rights.activeUsers } as const)
    : ({ kind: 'nobody' } as const)
  return { events: [{ event: { type: 'restart', generation, facts: start.facts }, audience }], reply }
}

/** A release that was not told yet, or the same after a time at which none ran. */
function isNews(last: Generation | undefined, { release, startedAt, isFirst }: Start): boolean {
  if (last?.release !== release) return true
  return isFirst && last.number < startedAt // Else one that started meanwhile has told it.
}

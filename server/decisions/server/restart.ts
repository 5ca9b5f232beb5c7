/** Telling clients that a server was started anew, or is another release now. */

import type { Generation } from '../../domain/generation.ts'
import { type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'

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

/** Tells of a start, unless another process has told of it. */
export function decideRestart({ state }: Pick<ServerScope, 'state'>, start: Start): Decision<void> {
  if (!state.organization || !isNews(state.generation, start)) return done([])
  const number = Math.max(start.startedAt, (state.generation?.number ?? 0) + 1)
  const generation = { number, release: start.release }
  // Beside other processes of an unknown release it may be no news: it is noted, and clients are not notified.
  const isNewToClients = start.isFirst || state.generation !== undefined
  return done([
    isNewToClients
      ? { type: 'restart', generation, facts: start.facts }
      : { type: 'release_noted', generation },
  ])
}

/** A release that was not told yet, or the same after a time at which none ran. */
function isNews(last: Generation | undefined, { release, startedAt, isFirst }: Start): boolean {
  if (last?.release !== release) return true
  return isFirst && last.number < startedAt // Else one that started meanwhile has told it.
}

/** Notifies clients of a restart, or of another release. */

import type { Generation } from '../../domain/generation.ts'
import { type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'

/** A process that starts. */
export interface Start {
  readonly release: string
  /** The release, by the names that clients know. */
  readonly facts: Readonly<Record<string, string | number>>
  /** UNIX seconds when its start began. */
  readonly startedAt: number
  /** Whether no process of before is still running. */
  readonly isFirst: boolean
}

/** Logs a restart, unless another process has. */
export function decideRestart({ state }: Pick<ServerScope, 'state'>, start: Start): Decision<void> {
  if (!state.organization || !isNews(state.generation, start)) return done([])
  const { release } = start
  // Beside other processes of an unknown release it may be no restart: the log notes it without notifying clients, so
  // the number stays the one that registrations have.
  if (!start.isFirst && !state.generation)
    return done([{ type: 'release_noted', generation: { number: state.generationNumber, release } }])
  const number = Math.max(start.startedAt, (state.generation?.number ?? 0) + 1)
  return done([{ type: 'restart', generation: { number, release }, facts: start.facts }])
}

/** Whether the release is new, or the same after a time without any process. */
function isNews(last: Generation | undefined, { release, startedAt, isFirst }: Start): boolean {
  if (last?.release !== release) return true
  return isFirst && last.number < startedAt // Otherwise a process that started at the same time has logged it.
}

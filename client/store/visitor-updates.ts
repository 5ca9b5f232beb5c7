/** The updates of a visitor's page: the state, again and again, since visitors get no events. */

import { ApiError, ConnectionError } from '../../packages/client/src/errors.ts'
import type { EventOptions, Update } from '../../packages/client/src/event-stream.ts'
import type { ParleyClient } from '../../packages/client/src/client.ts'

/** Milliseconds until the state and the shown messages are read again. */
const REFRESH_MS = 60_000

/** Like `ParleyClient.updates`, with registrations only. Nothing is read while nobody looks; a wait ends when they do. */
export async function* visitorUpdates(
  api: Pick<ParleyClient, 'call' | 'callWith'>,
  { register = {}, signal, onPhase = () => undefined, wait }: EventOptions,
  isHidden: () => boolean,
): AsyncGenerator<Update, void, void> {
  onPhase('connecting')
  while (!signal?.aborted) {
    try {
      const state = await (signal
        ? api.callWith({ signal }, 'POST /register', register)
        : api.call('POST /register', register))
      onPhase('connected')
      yield { kind: 'registered', state }
    } catch (error) {
      if (signal?.aborted) return
      if (!isPassing(error)) throw error
      onPhase('waiting')
    }
    do await wait?.(REFRESH_MS, signal)
    while (isHidden() && !signal?.aborted)
  }
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof ConnectionError || (error instanceof ApiError && error.retryAfterSeconds !== undefined)
  )
}

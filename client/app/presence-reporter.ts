/** Reports whether the user is at this device, once a minute and as soon as they come back. */

import type { ParleyClient } from '../../packages/client/src/index.ts'
import type { Presence } from '../../packages/client/src/wire-types.ts'
import type { State } from '../store/apply.ts'

/** The server's default, if the registration lacks it. */
const REPORT_SECONDS = 60
/** A user without any input for this time is idle. */
const IDLE_MS = 300_000

const INPUTS = ['keydown', 'mousedown', 'mousemove', 'touchstart', 'wheel', 'focus'] as const

interface PresenceReporterOptions {
  readonly api: ParleyClient
  readonly state: () => State | undefined
  /** Takes presences that came without an event: large organizations send none. */
  readonly onPresences: (presences: Readonly<Record<string, Presence>>) => void
}

/** Runs until the signal aborts. The returned function reports at once, for each registration. */
export function reportPresence(options: PresenceReporterOptions, stop: AbortSignal): () => void {
  const { api, state } = options
  let inputAtMs = Date.now()
  let hasNewInput = true
  let updateId = -1
  let timer: ReturnType<typeof setTimeout> | undefined
  let wasIdle = false

  const noteInput = () => {
    inputAtMs = Date.now()
    hasNewInput = true
    if (wasIdle) report()
  }
  for (const name of INPUTS) addEventListener(name, noteInput, { signal: stop, passive: true, capture: true })
  stop.addEventListener('abort', () => clearTimeout(timer))
  return report

  function report(): void {
    clearTimeout(timer)
    const current = state()
    const seconds = current?.server_presence_ping_interval_seconds ?? REPORT_SECONDS
    timer = setTimeout(report, seconds * 1_000)
    // The registration comes first; without presence in the organization, or with it hidden, nothing is reported.
    if (!current || current.realm_presence_disabled) return
    if (current.user_settings?.presence_enabled === false) return
    wasIdle = Date.now() - inputAtMs > IDLE_MS
    const isNew = hasNewInput
    hasNewInput = false
    void send(wasIdle ? 'idle' : 'active', isNew)
  }

  async function send(status: 'active' | 'idle', isNew: boolean): Promise<void> {
    try {
      const reply = await api.callWith({ signal: stop }, 'POST /users/me/presence', {
        status,
        new_user_input: isNew,
        last_update_id: updateId,
      })
      if (reply.presence_last_update_id === undefined || !reply.presences) return
      updateId = reply.presence_last_update_id
      options.onPresences(reply.presences as Readonly<Record<string, Presence>>)
    } catch {
      // The next report comes within a minute.
    }
  }
}

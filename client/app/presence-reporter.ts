/** Reports whether the user is at this device, once a minute and as soon as they come back. */

import type { Presence } from '../../packages/client/src/wire-types.ts'
import type { App } from './app.ts'

/** The server's default, if the registration lacks it. */
const REPORT_SECONDS = 60
/** A user without any input for this time is idle. */
const IDLE_MS = 300_000

const INPUTS = ['keydown', 'mousedown', 'mousemove', 'touchstart', 'wheel', 'focus'] as const

/** Runs until the signal aborts; reports at once, and after each registration. */
export function reportPresence({ api, live }: App, stop: AbortSignal): void {
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
  const unlisten = live.listen(({ kind }) => kind === 'registered' && report())
  stop.addEventListener('abort', () => {
    clearTimeout(timer)
    unlisten()
  })
  report()

  function report(): void {
    clearTimeout(timer)
    const current = live.state.peek()
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
      // They come without an event: large organizations send none.
      live.takePresences(reply.presences as Readonly<Record<string, Presence>>)
    } catch {
      // The next report comes within a minute.
    }
  }
}

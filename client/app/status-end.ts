/** The end of the own status: this device clears it, since the server has no time for it. */

import { effect, type ReadonlySignal } from '@preact/signals'
import type { ParleyClient } from '../../packages/client/src/index.ts'
import type { State } from '../store/apply.ts'
import { deviceSetting } from './device-setting.ts'

interface StatusEnd {
  readonly userId: number
  /** The status that ends: another one that was set meanwhile stays. */
  readonly text: string
  readonly emojiName: string
  readonly atMs: number
}

export const statusEnd = deviceSetting<StatusEnd | null>('status-end', {
  start: null,
  read: (stored) => {
    const end = stored as Partial<StatusEnd> | null
    const isWhole =
      typeof end?.userId === 'number' &&
      typeof end.text === 'string' &&
      typeof end.emojiName === 'string' &&
      typeof end.atMs === 'number'
    return isWhole ? (end as StatusEnd) : undefined
  },
})

interface EndStatusOptions {
  readonly api: ParleyClient
  readonly state: ReadonlySignal<State | undefined>
  readonly minute: ReadonlySignal<number>
}

/** Clears the status when its time has come: looks each minute, and after each registration. */
export function endStatus({ api, state, minute }: EndStatusOptions, stop: AbortSignal): void {
  let isClearing = false
  const clear = async () => {
    isClearing = true
    try {
      await api.callWith({ signal: stop }, 'POST /users/me/status', { status_text: '', emoji_name: '' })
      statusEnd.value = null
    } catch {
      // It is tried again a minute later.
    }
    isClearing = false
  }
  const dispose = effect(() => {
    const nowMs = minute.value
    const end = statusEnd.peek()
    const current = state.value
    if (!end || !current || isClearing || end.userId !== current.user_id || nowMs < end.atMs) return
    const status = current.user_status?.[String(end.userId)]
    const isSame = (status?.status_text ?? '') === end.text && (status?.emoji_name ?? '') === end.emojiName
    if (isSame) void clear()
    else statusEnd.value = null
  })
  stop.addEventListener('abort', dispose)
}

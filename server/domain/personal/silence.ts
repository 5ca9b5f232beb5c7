/** Whether users want silence: asked for each message that might notify them, so the last answer is cached. */

import { findSilence, type Silence } from '../../../packages/rules/silence.ts'
import { derived } from '../messages/derived.ts'
import type { UserSettings } from '../users/user-settings.ts'

const NO_SILENCE: Silence = { isSilent: false, until: Number.POSITIVE_INFINITY }

/** The last answer for a user's settings, with the time at which it was asked: it holds from then to its end. */
const answersOf = derived((_settings: Partial<UserSettings>) => ({
  askedAt: 0,
  silence: undefined as Silence | undefined,
}))

/** Whether a user wants silence now, in UNIX seconds, by the settings that differ from the defaults. */
export function silenceOf(settings: Partial<UserSettings>, now: number): Silence {
  const { notificationsPausedUntil: pausedUntil = 0, quietHours = '' } = settings
  if (pausedUntil <= now && quietHours === '') return NO_SILENCE
  const last = answersOf(settings)
  if (last.silence === undefined || now < last.askedAt || now >= last.silence.until) {
    last.silence = findSilence({ pausedUntil, quietHours }, now)
    last.askedAt = now
  }
  return last.silence
}

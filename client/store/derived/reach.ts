/** Why nothing reaches a person who is away: each reason, for pushes and for emails. */

import { findSilence } from '../../../packages/rules/silence.ts'
import type { State } from '../apply.ts'

/** A browser or app that is subscribed to web push. */
export interface ReachedDevice {
  /** The status of its push service's last answer, or a word for none; null before the first push. */
  readonly last_answer: string | null
  /** Whether it is this browser. */
  readonly is_current: boolean
}

/** A phone with an app of the API family: a device, or the token of an older app. */
export interface ReachedPhone extends Pick<ReachedDevice, 'last_answer'> {
  /** Whether the push relay has it. */
  readonly is_registered: boolean
}

export interface ReachFacts {
  readonly state: State
  /** Whether the server sends web push. */
  readonly hasWebPush: boolean
  readonly devices: readonly ReachedDevice[]
  readonly phones: readonly ReachedPhone[]
  /** The mail server's last answer to an email about messages, in the same way. */
  readonly email: Pick<ReachedDevice, 'last_answer'>
  /** Whether this browser shows no notifications. */
  readonly isBlockedHere: boolean
  /** UNIX seconds. */
  readonly now: number
}

export type ReachReason =
  /** The server does not send this way. */
  | { readonly kind: 'server_off' }
  /** No browser, app or phone is there that shows notifications. */
  | { readonly kind: 'no_device' }
  /** Only phones are registered, and the server does not reach phones now. */
  | { readonly kind: 'no_relay' }
  /** The settings send nothing this way. */
  | { readonly kind: 'settings_off' }
  /** A pause or quiet hours, until UNIX seconds. */
  | { readonly kind: 'paused' | 'quiet'; readonly until: number }
  /** The last push to each device, or the last email, failed, with the different answers. */
  | { readonly kind: 'failing'; readonly answers: readonly string[] }

/** The reasons that hold for each way; none if messages arrive that way. */
export interface Reach {
  readonly push: readonly ReachReason[]
  readonly mail: readonly ReachReason[]
}

export function findReach(facts: ReachFacts): Reach {
  const silence = silenceReason(facts)
  return {
    push: [...deviceReasons(facts), ...settingsReason(facts.state, 'push'), ...silence],
    mail: [...mailReasons(facts), ...settingsReason(facts.state, 'mail'), ...silence],
  }
}

function mailReasons({ state, email: { last_answer: answer } }: ReachFacts): ReachReason[] {
  if (state.parley_email_enabled === false) return [{ kind: 'server_off' }]
  return answer === null || isSuccess(answer) ? [] : [{ kind: 'failing', answers: [answer] }]
}

function deviceReasons({ state, hasWebPush, devices, phones, isBlockedHere }: ReachFacts): ReachReason[] {
  const reachesPhones = state.realm_push_notifications_enabled === true
  if (!hasWebPush && !reachesPhones) return [{ kind: 'server_off' }]
  const registered = phones.filter((one) => one.is_registered)
  const usable = [
    ...(hasWebPush ? devices.filter((one) => !(one.is_current && isBlockedHere)) : []),
    ...(reachesPhones ? registered : []),
  ]
  if (usable.length === 0) return [{ kind: registered.length > 0 ? 'no_relay' : 'no_device' }]
  const failures = usable.flatMap(({ last_answer: answer }) =>
    answer === null || isSuccess(answer) ? [] : [answer],
  )
  return failures.length < usable.length ? [] : [{ kind: 'failing', answers: [...new Set(failures)] }]
}

/**
 * Whether an email server takes nothing for the address, now or later (RFC 5321): else it may be busy, or away. 53x is about the
 * log-in of our own server (RFC 4954).
 */
export const refusesAddress = (answer: string): boolean => /^5(?!3)\d\d$/.test(answer)

/** Whether a push service took the push. */
export const isSuccess = (answer: string): boolean => /^2\d\d$/.test(answer)

function settingsReason(
  { user_settings: own, subscriptions = [] }: State,
  way: 'push' | 'mail',
): ReachReason[] {
  if (!own) return []
  const isOn =
    way === 'push'
      ? own.enable_offline_push_notifications ||
        own.enable_followed_topic_push_notifications ||
        own.enable_stream_push_notifications ||
        subscriptions.some((one) => one.push_notifications === true)
      : own.enable_offline_email_notifications ||
        own.enable_followed_topic_email_notifications ||
        own.enable_stream_email_notifications ||
        subscriptions.some((one) => one.email_notifications === true)
  return isOn ? [] : [{ kind: 'settings_off' }]
}

function silenceReason({ state: { user_settings: own }, now }: ReachFacts): ReachReason[] {
  if (!own) return []
  const { parley_notifications_paused_until: pausedUntil, parley_quiet_hours: quietHours } = own
  const { isSilent, until } = findSilence({ pausedUntil, quietHours }, now)
  return isSilent ? [{ kind: pausedUntil > now ? 'paused' : 'quiet', until }] : []
}

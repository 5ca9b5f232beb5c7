/** The people in a call, as its provider answers: users of this server by their ids, and how many others. */

import type { UserId } from '../../domain/ids.ts'

/** Milliseconds for one answer of a provider, and its bytes: some hundred people fit. */
export const ANSWER_MS_MAX = 10_000
export const ANSWER_BYTES_MAX = 1024 * 1024

export interface PeopleInCall {
  /** Ascending, each once: somebody may be there with two devices. */
  readonly userIds: readonly UserId[]
  /** People without an account here, such as on the telephone. */
  readonly others: number
}

/** @param identities what this server wrote into links and tokens, or whatever others did. */
export function gatherPeople(identities: readonly unknown[]): PeopleInCall {
  const isOwn = (identity: unknown) => typeof identity === 'string' && /^[1-9]\d{0,8}$/.test(identity)
  const ids = new Set(identities.filter(isOwn).map((identity) => Number(identity) as UserId))
  return {
    userIds: [...ids].sort((a, b) => a - b),
    others: identities.filter((identity) => !isOwn(identity)).length,
  }
}

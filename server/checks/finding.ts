/** The result of the check of one part. */

import type { Clock } from '../domain/clock.ts'

/** A part works, does not, or is not used; the text says so in one line, and if it fails, what to do. */
export interface Finding {
  readonly part: string
  readonly state: 'ok' | 'fails' | 'unused'
  readonly text: string
}

/** A part does not work: the message says what to do. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
}

/** The text of a part that works, or why it is not used. */
export type Checked = string | { readonly unused: string }

/** Milliseconds for one part: each step of it has a shorter limit, so this ends only steps that hang. */
const CHECK_MS_MAX = 30_000

/** Runs the check of a part; never rejects. `explain` gives the reason of failures that are no `CheckError`. */
export async function find(
  part: string,
  clock: Clock,
  check: () => Promise<Checked>,
  explain: (error: unknown) => string,
): Promise<Finding> {
  const late = Promise.withResolvers<never>()
  const seconds = CHECK_MS_MAX / 1000
  const timer = clock.every(CHECK_MS_MAX, () =>
    late.reject(new CheckError(`it did not answer within ${seconds} seconds`)),
  )
  try {
    const checked = await Promise.race([check(), late.promise])
    return typeof checked === 'string'
      ? { part, state: 'ok', text: oneLine(checked) }
      : { part, state: 'unused', text: oneLine(checked.unused) }
  } catch (error) {
    const text = error instanceof CheckError ? error.message : explain(error)
    return { part, state: 'fails', text: oneLine(text) }
  } finally {
    timer.stop()
  }
}

/** Answers of other servers are parts of some texts. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
}

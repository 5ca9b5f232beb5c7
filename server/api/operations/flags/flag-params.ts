/** The flag that a client names, and what it wants of it. */

import { MESSAGE_FLAGS, SETTABLE_FLAGS, type SettableFlag } from '../../../domain/message-flags.ts'
import type { Fail } from '../../../errors/api-error.ts'
import { oneOf, required, text } from '../../params.ts'

/** The parameters of a change of a flag. */
export const FLAG_PARAMS = {
  op: required(oneOf('add', 'remove'), 'Whether the flag is set or taken back.'),
  flag: required(text({ lengthMax: 100 }), 'Which: `read`, `starred` or `collapsed`.'),
}

/** What goes wrong with them. */
export const FLAG_ERRORS = ['FLAG_UNKNOWN', 'FLAG_NOT_EDITABLE'] as const

/** Flags that clients know, and that follow from messages or are not kept any more. */
const OTHER_FLAGS: ReadonlySet<string> = new Set([
  ...Object.keys(MESSAGE_FLAGS),
  'wildcard_mentioned',
  'force_expand',
  'force_collapse',
  'has_attachment',
])

/** The flag by its name. */
export function readFlag(name: string, fail: Fail<(typeof FLAG_ERRORS)[number]>): SettableFlag {
  const flag = SETTABLE_FLAGS.find((one) => one === name)
  if (flag) return flag
  throw OTHER_FLAGS.has(name)
    ? fail('FLAG_NOT_EDITABLE', { flag: name })
    : fail('FLAG_UNKNOWN', { flag: name })
}

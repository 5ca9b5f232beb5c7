/** The parameters of changes of flags. */

import { MESSAGE_FLAGS, SETTABLE_FLAGS, type SettableFlag } from '../../../domain/messages/message-flags.ts'
import type { Fail } from '../../../errors/api-error.ts'
import { oneOf, required, text } from '../../params.ts'

/** The parameters of a change of a flag. */
export const FLAG_PARAMS = {
  op: required(oneOf('add', 'remove'), 'Whether to add or remove the flag.'),
  flag: required(text({ lengthMax: 100 }), 'The flag: `read`, `starred` or `collapsed`.'),
}

/** The errors of these parameters. */
export const FLAG_ERRORS = ['FLAG_UNKNOWN', 'FLAG_NOT_EDITABLE'] as const

/** Flags that clients know, but that follow from messages or no longer exist. */
const OTHER_FLAGS: ReadonlySet<string> = new Set([
  ...Object.keys(MESSAGE_FLAGS),
  'wildcard_mentioned',
  'force_expand',
  'force_collapse',
  'has_attachment',
])

/** The flag with a name. */
export function readFlag(name: string, fail: Fail<(typeof FLAG_ERRORS)[number]>): SettableFlag {
  const flag = SETTABLE_FLAGS.find((one) => one === name)
  if (flag) return flag
  throw OTHER_FLAGS.has(name)
    ? fail('FLAG_NOT_EDITABLE', { flag: name })
    : fail('FLAG_UNKNOWN', { flag: name })
}

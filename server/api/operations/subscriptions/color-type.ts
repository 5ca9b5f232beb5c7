/** The type of color parameters. */

import { fail } from '../../../errors/api-error.ts'
import type { Type } from '../../params.ts'

/** A CSS color: `#` and three or six hexadecimal digits. */
export const colorType: Type<string> = {
  isText: true,
  schema: { type: 'string', pattern: '^#([0-9a-fA-F]{3}){1,2}$' },
  check(value, name) {
    if (typeof value === 'string' && /^#([0-9a-fA-F]{3}){1,2}$/.test(value)) return value
    throw fail('PARAMETER_INVALID', { message: `${name} is not a valid hex color code` })
  },
}

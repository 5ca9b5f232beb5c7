/** The parameters of statuses. */

import type { StatusChange } from '../../../decisions/users/change-status.ts'
import { EMOJI_CODE_LENGTH_MAX, EMOJI_NAME_LENGTH_MAX } from '../../../domain/text/emoji.ts'
import { STATUS_TEXT_LENGTH_MAX } from '../../../domain/limits.ts'
import type { Names } from '../../../views/names.ts'
import { optional, text, type ValuesOf } from '../../params.ts'

/** The fields of a status; missing ones stay unchanged. */
export const statusParams = {
  status_text: optional(
    text({ lengthMax: STATUS_TEXT_LENGTH_MAX, trim: true }),
    'The text; empty to remove it.',
  ),
  emoji_name: optional(
    text({ lengthMax: EMOJI_NAME_LENGTH_MAX }),
    'The name of the emoji; empty to remove it.',
  ),
  emoji_code: optional(
    text({ lengthMax: EMOJI_CODE_LENGTH_MAX }),
    'Its code: the code points in hex, joined by dashes, the id of a custom emoji, or the name of the extra one. By default that of the name.',
  ),
  reaction_type: optional(
    text({ lengthMax: EMOJI_NAME_LENGTH_MAX }),
    'The kind of code: `unicode_emoji`, `realm_emoji` or `service_extra_emoji`. By default that of the name.',
  ),
}

/** The requested status. */
export function readStatusChange(
  { status_text: text, emoji_name: name, emoji_code: code, reaction_type }: ValuesOf<typeof statusParams>,
  { neutralReactionType }: Names,
): StatusChange {
  const type = reaction_type === undefined ? undefined : neutralReactionType(reaction_type)
  return { text, emoji: { name, code, type } }
}

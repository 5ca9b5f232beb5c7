/** Failures in naming emoji, and in keeping custom ones. */

import { type ErrorCases, plain, worded } from './error-case.ts'

export const EMOJI_ERRORS = {
  EMOJI_UNKNOWN: worded(400, 'BAD_REQUEST', ({ name }: { name: string }) => `Emoji '${name}' does not exist`),
  EMOJI_NAME_INVALID: plain(400, 'BAD_REQUEST', 'Invalid emoji name.'),
  EMOJI_CODE_INVALID: plain(400, 'BAD_REQUEST', 'Invalid emoji code.'),
  EMOJI_TYPE_INVALID: plain(400, 'BAD_REQUEST', 'Invalid emoji type.'),
  CUSTOM_EMOJI_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid custom emoji.'),
  EMOJI_NAME_MISSING: plain(
    400,
    'BAD_REQUEST',
    'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
  ),
  EMOJI_MISSING: plain(
    400,
    'BAD_REQUEST',
    'At least one of the following arguments must be present: emoji_name, emoji_code',
  ),
  CUSTOM_EMOJI_NAME_WRONG: plain(400, 'BAD_REQUEST', 'Invalid custom emoji name.'),
  CUSTOM_EMOJI_DEACTIVATED: plain(400, 'BAD_REQUEST', 'This custom emoji has been deactivated.'),
  NEW_EMOJI_NAME_EMPTY: plain(400, 'BAD_REQUEST', 'Emoji name is missing'),
  NEW_EMOJI_NAME_CHARACTER: plain(
    400,
    'BAD_REQUEST',
    'Emoji names must contain only lowercase English letters, digits, spaces, dashes, underscores, and periods.',
  ),
  NEW_EMOJI_NAME_END: plain(400, 'BAD_REQUEST', 'Emoji names must end with either a letter or digit.'),
  NEW_EMOJI_NAME_TAKEN: plain(400, 'BAD_REQUEST', 'A custom emoji with this name already exists.'),
  NEW_EMOJI_OVERRIDES: plain(400, 'BAD_REQUEST', 'Only administrators can override default emoji.'),
  EMOJI_OF_OTHERS: plain(400, 'BAD_REQUEST', 'Must be an organization administrator or emoji author'),
  TOO_MANY_CUSTOM_EMOJI: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many custom emoji (maximum ${countMax}).`,
  ),
} satisfies ErrorCases

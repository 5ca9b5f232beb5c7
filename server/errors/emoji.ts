/** Failures of emoji names and custom emoji. */

import { badRequest, type ErrorCases } from './error-case.ts'

export const EMOJI_ERRORS = {
  EMOJI_UNKNOWN: badRequest(({ name }: { name: string }) => `Emoji '${name}' does not exist`),
  EMOJI_NAME_INVALID: badRequest('Invalid emoji name.'),
  EMOJI_CODE_INVALID: badRequest('Invalid emoji code.'),
  EMOJI_TYPE_INVALID: badRequest('Invalid emoji type.'),
  CUSTOM_EMOJI_UNKNOWN: badRequest('Invalid custom emoji.'),
  EMOJI_NAME_MISSING: badRequest(
    'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
  ),
  EMOJI_MISSING: badRequest(
    'At least one of the following arguments must be present: emoji_name, emoji_code',
  ),
  CUSTOM_EMOJI_NAME_WRONG: badRequest('Invalid custom emoji name.'),
  CUSTOM_EMOJI_DEACTIVATED: badRequest('This custom emoji has been deactivated.'),
  NEW_EMOJI_NAME_EMPTY: badRequest('Emoji name is missing'),
  NEW_EMOJI_NAME_CHARACTER: badRequest(
    'Emoji names must contain only lowercase English letters, digits, spaces, dashes, underscores, and periods.',
  ),
  NEW_EMOJI_NAME_END: badRequest('Emoji names must end with either a letter or digit.'),
  NEW_EMOJI_NAME_TAKEN: badRequest('A custom emoji with this name already exists.'),
  NEW_EMOJI_OVERRIDES: badRequest('Only administrators can override default emoji.'),
  EMOJI_OF_OTHERS: badRequest('Must be an organization administrator or emoji author'),
} satisfies ErrorCases

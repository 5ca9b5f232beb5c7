/** Failures of the organization, its emoji, pictures and calls. */

import { badRequest, type ErrorCases, plain } from './error-case.ts'

/** Failures of the organization's lists. */
export const ORGANIZATION_ERRORS = {
  GRAVATAR_DISABLED: badRequest('Gravatar is not enabled on this server.'),
  LINKIFIER_UNKNOWN: badRequest('Linkifier not found.'),
  LINKIFIER_INVALID: badRequest(
    ({ errors }: { errors: Readonly<Record<string, readonly string[]>> }) =>
      Object.values(errors)[0]?.[0] ?? 'Invalid linkifier.',
    ({ errors }) => ({ errors }),
  ),
  LINKIFIER_ORDER_INVALID: badRequest('The ordered list must enumerate all existing linkifiers exactly once'),
  TOO_MANY_LINKIFIERS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many linkifiers (maximum ${countMax}).`,
  ),
  PLAYGROUND_UNKNOWN: badRequest('Invalid playground'),
  PLAYGROUND_LANGUAGE_INVALID: badRequest('Invalid characters in highlighter language'),
  PLAYGROUND_TEMPLATE_INVALID: badRequest(({ message }: { message: string }) => message),
  PLAYGROUND_EXISTS: badRequest(
    'Realm playground with this Realm, Highlighter language and Name already exists.',
  ),
  TOO_MANY_PLAYGROUNDS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many code playgrounds (maximum ${countMax}).`,
  ),
  EMAIL_DOMAIN_UNKNOWN: badRequest(
    ({ domain }: { domain: string }) => `No entry found for domain ${domain}.`,
  ),
  EMAIL_DOMAIN_INVALID: badRequest(({ reason }: { reason: string }) => `Invalid domain: ${reason}`),
  EMAIL_DOMAIN_EXISTS: badRequest(
    ({ domain }: { domain: string }) => `The domain ${domain} is already a part of your organization.`,
  ),
  TOO_MANY_EMAIL_DOMAINS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many domains (maximum ${countMax}).`,
  ),
  EMAIL_NOT_ALLOWED: badRequest(
    ({ email }: { email: string }) => `Email '${email}' not allowed in this organization`,
  ),
  EMAIL_HOLDS_PLUS: badRequest('Email addresses containing + are not allowed.'),
  TOO_MANY_EXPORTS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many exports in seven days (maximum ${countMax}).`,
  ),
  OWN_EXPORT_PENDING: badRequest('An export of your data is already in progress'),
  EXPORT_UNKNOWN: badRequest('Invalid data export ID'),
  EXPORT_PENDING: badRequest('Export still in progress'),
  EXPORT_FAILED: badRequest('Export failed, nothing to delete'),
  EXPORT_DELETED: badRequest('Export already deleted'),
  HOLD_UNKNOWN: badRequest('Invalid legal hold ID'),
  HOLD_NAME_TAKEN: badRequest('A legal hold with this name already exists.'),
  HOLD_TARGET_MISSING: badRequest('A legal hold needs people, channels, or the whole organization.'),
  HOLD_TARGET_BEYOND: badRequest('A legal hold on the whole organization names no people or channels.'),
  TOO_MANY_HOLDS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many legal holds (maximum ${countMax}).`,
  ),
  IMPORT_UNKNOWN: badRequest('Invalid import ID'),
  IMPORT_UNDER_WAY: badRequest('Another import is under way'),
  IMPORT_NOT_CHECKED: badRequest('The archive is not checked, or the import has started already'),
  IMPORT_OVER: badRequest('This import is over'),
  IMPORT_CHANNEL_UNKNOWN: badRequest(
    ({ name }: { name: string }) => `The archive has no channel '${name}' whose name is taken`,
  ),
  IMPORT_INTO_ARCHIVED: badRequest(
    ({ name, here }: { name: string; here: string }) =>
      `${name} cannot come into the channel ${here}, which is archived`,
  ),
  IMPORT_INTO_PUBLIC: badRequest(
    ({ name, here }: { name: string; here: string }) =>
      `${name} cannot come into the channel ${here}, which is public: the channel is private`,
  ),
  IMPORT_NAMES_EQUAL: badRequest(
    ({ here }: { here: string }) =>
      `Two channels cannot become ${here}: create that channel first, and both come into it`,
  ),
  IMPORT_WITHOUT_REPORT: badRequest('This import has no report yet'),
} satisfies ErrorCases

/** Failures of emoji names and custom emoji. */
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

/** Failures of uploaded pictures. */
export const PICTURE_ERRORS = {
  FILE_TOO_LARGE: badRequest(
    ({ mibMax }: { mibMax: number }) => `Uploaded file is larger than the allowed limit of ${mibMax} MiB`,
  ),
  FILE_COUNT: badRequest('You must upload exactly one file.'),
  AVATAR_COUNT: badRequest('You must upload exactly one avatar.'),
  ICON_COUNT: badRequest('You must upload exactly one icon.'),
  LOGO_COUNT: badRequest('You must upload exactly one logo.'),
  IMAGE_UNDECODABLE: badRequest('Could not decode image; did you upload an image file?'),
  IMAGE_FORMAT_UNKNOWN: badRequest('Invalid image format'),
  IMAGE_TOO_LARGE: badRequest('Image size exceeds limit.'),
} satisfies ErrorCases

/** Failures of video calls. */
export const CALL_ERRORS = {
  CALLS_NOT_CONFIGURED: badRequest('Provider credentials have not been configured'),
  BIGBLUEBUTTON_NOT_CONFIGURED: badRequest('BigBlueButton is not configured.'),
  LIVEKIT_NOT_CONFIGURED: badRequest('LiveKit is not configured.'),
  PROVIDER_TOKEN_INVALID: plain(400, 'INVALID_PROVIDER_TOKEN', 'Invalid provider access token'),
  PROVIDER_USER_UNKNOWN: plain(400, 'UNKNOWN_PROVIDER_USER', 'Unknown provider user email.'),
  CALL_FAILED: badRequest('Failed to create video call'),
} satisfies ErrorCases

/** Failures of users: accounts, profiles, invitations, second factors. */

import { badRequest, type ErrorCases, plain, worded } from './error-case.ts'

/** Why a person whom the directory knows gets no account. */
type DirectoryRefusal = 'absent' | 'unverified' | 'taken'

const DIRECTORY_REFUSALS: ReadonlyMap<string, string> = new Map<DirectoryRefusal, string>([
  ['absent', 'You have no account here yet. Ask for an invitation.'],
  ['unverified', "The company's directory has no email address for you. Ask its administrators."],
  ['taken', "Your address belongs to another person in the company's directory. Ask an administrator."],
])

/** Failures of accounts and user statuses. */
export const USER_ERRORS = {
  USER_UNKNOWN: badRequest('No such user'),
  USER_DEACTIVATED: badRequest('User is deactivated'),
  EMAIL_INVALID: badRequest('Invalid email address'),
  EMAIL_TAKEN: badRequest(({ email }: { email: string }) => `Email '${email}' already in use`),
  PASSWORD_TOO_WEAK: badRequest('The password is too weak.'),
  PASSWORD_COMMON: badRequest(
    'This password is among those that attackers try first. Several words together are strong and easy to type.',
  ),
  PASSWORD_PERSONAL: badRequest(
    'This password is easy to guess from your name, your address or the name of the organization. Choose other words.',
  ),
  NEW_PASSWORD_TOO_WEAK: badRequest('New password is too weak!'),
  OWN_PASSWORD_WRONG: badRequest('Wrong password!'),
  PASSWORD_IN_DIRECTORY: badRequest("Your password is that of the company's directory: change it there."),
  DIRECTORY_ACCOUNT_REFUSED: worded(
    403,
    'ACCOUNT_REFUSED',
    ({ reason }: { reason: string }) => DIRECTORY_REFUSALS.get(reason) ?? reason,
  ),
  TOO_MANY_ADDRESS_MAILS: badRequest(
    'Too many mails were sent to confirm a new address. Try again in an hour.',
  ),
  TOO_MANY_TEST_MAILS: badRequest('You have sent too many test emails. Try again in an hour.'),
  EMAIL_CHANGES_DISABLED: badRequest('Email address changes are disabled in this organization.'),
  NAME_CHANGES_DISABLED: badRequest('Name changes are disabled in this organization.'),
  TOO_MANY_API_KEYS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many API keys (maximum ${countMax}): make the key anew.`,
  ),
  LAST_OWNER_DEMOTION: badRequest('The owner permission cannot be removed from the only organization owner.'),
  LAST_OWNER_DEACTIVATION: badRequest('Cannot deactivate the only organization owner'),
  LAST_USER_LEAVING: worded(
    400,
    'CANNOT_DEACTIVATE_LAST_USER',
    ({ isOwner }: { isOwner: boolean }) =>
      `Cannot deactivate the only ${isOwner ? 'organization owner' : 'user'}.`,
    ({ isOwner }) => ({ is_last_owner: isOwner, entity: isOwner ? 'organization owner' : 'user' }),
  ),
  NAME_TOO_LONG: badRequest('Name too long!'),
  NAME_TOO_SHORT: badRequest('Name too short!'),
  NAME_CHARACTER: badRequest('Invalid characters in name!'),
  NAME_FORMAT: badRequest('Invalid format!'),
  FULL_NAME_TAKEN: badRequest('Unique names required in this organization.'),
  AVATAR_CHANGES_DISABLED: badRequest('Avatar changes are disabled in this organization.'),
  STATUS_UNCHANGED: badRequest('Client did not pass any new values.'),
  PRESENCE_OF_BOT: badRequest('Presence is not supported for bot users.'),
  PRESENCE_MISSING: badRequest(({ who }: { who: string }) => `No presence data for ${who}`),
} satisfies ErrorCases

/** Failures of profiles and profile fields. */
export const PROFILE_ERRORS = {
  PROFILE_OF_BOT: badRequest('Bots have no profile.'),
  PROFILE_FIELD_UNKNOWN: badRequest(({ id }: { id: number }) => `Field id ${id} not found.`),
  PROFILE_FIELD_LOCKED: badRequest(
    'You are not allowed to change this field. Contact an administrator to update it.',
  ),
  PROFILE_VALUE_INVALID: badRequest(({ message }: { message: string }) => message),
  PROFILE_FIELD_NAME_EMPTY: badRequest('Label cannot be blank.'),
  PROFILE_FIELD_NAME_TAKEN: badRequest('A field with that label already exists.'),
  PROFILE_FIELD_TYPE_UNKNOWN: badRequest('Invalid field type.'),
  PROFILE_FIELD_DATA_INVALID: badRequest(({ message }: { message: string }) => message),
  PROFILE_FIELD_FIXED: badRequest('Default custom field cannot be updated.'),
  PROFILE_SUMMARY_TYPE: badRequest('Field type not supported for display in profile summary.'),
  PROFILE_SUMMARY_FULL: badRequest(
    ({ countMax }: { countMax: number }) =>
      `Only ${countMax} custom profile fields can be displayed in the profile summary.`,
  ),
  PROFILE_ORDER_INVALID: badRequest('Invalid order mapping.'),
  TOO_MANY_PROFILE_FIELDS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many custom profile fields (maximum ${countMax}).`,
  ),
} satisfies ErrorCases

/** Why an address was not invited, and whether it belongs to a deactivated account. */
export type InvitationProblem = readonly [email: string, reason: string, isDeactivated: boolean]

/** Invitations that were not sent, and whether others were. */
interface FailedInvitations {
  readonly problems: readonly InvitationProblem[]
  readonly reason: keyof typeof INVITATION_FAILURES
}

const INVITATION_FAILURES = {
  nobody: "We weren't able to invite anyone.",
  others_invited: 'Some of these addresses were not invited. All others were.',
  daily_limit:
    'Nobody was invited: too many invitations were sent by mail today. Use a link, or try again tomorrow.',
} as const

export const INVITE_ERRORS = {
  INVITATION_UNKNOWN: badRequest('No such invitation'),
  INVITATION_CHANNEL_UNKNOWN: badRequest(
    ({ id }: { id: number }) => `Invalid channel ID ${id}. No invites were sent.`,
  ),
  INVITATION_SUBSCRIBING_FORBIDDEN: badRequest(
    'You do not have permission to subscribe other users to channels.',
  ),
  TOO_MANY_INVITATIONS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many invitations (maximum ${countMax}).`,
  ),
  INVITEES_MISSING: badRequest('You must specify at least one email address.'),
  INVITATION_FAILED: worded(
    400,
    'INVITATION_FAILED',
    ({ reason }: FailedInvitations) => INVITATION_FAILURES[reason] ?? INVITATION_FAILURES.nobody,
    ({ problems, reason }: FailedInvitations) => ({
      errors: problems,
      sent_invitations: reason === 'others_invited',
      license_limit_reached: false,
      daily_limit_reached: reason === 'daily_limit',
    }),
  ),
} satisfies ErrorCases

/** Failures of second factors. */
export const SECOND_FACTOR_ERRORS = {
  SECOND_FACTOR_REQUIRED: plain(
    401,
    'SECOND_FACTOR_REQUIRED',
    'A code of your authenticator app, or a recovery code, is required',
  ),
  SECOND_FACTOR_WRONG: plain(401, 'SECOND_FACTOR_INCORRECT', 'The code is wrong, or it was used before'),
  OWN_CODE_WRONG: badRequest('Wrong code!'),
  RECENT_LOGIN_REQUIRED: plain(
    400,
    'RECENT_LOGIN_REQUIRED',
    'Confirm that it is you: this needs your password, or a log-in within the last ten minutes.',
  ),
  TOTP_ENABLED: badRequest('An authenticator app is set up already.'),
  SECOND_FACTOR_SETUP_REQUIRED: worded(
    403,
    'SECOND_FACTOR_SETUP_REQUIRED',
    ({ publicUrl }: { publicUrl: string }) =>
      `Your organization requires a second factor. Set up an authenticator app at ${publicUrl}/accounts/security`,
  ),
  OWN_FACTOR_MISSING: badRequest('Set up an authenticator app of your own first.'),
  TOTP_MISSING: badRequest('No authenticator app is set up.'),
  PASSKEY_REFUSED: plain(401, 'AUTHENTICATION_FAILED', 'The passkey was not accepted'),
  LOGIN_TOKEN_INVALID: plain(401, 'AUTHENTICATION_FAILED', 'The token is wrong, used or too old'),
  PASSKEY_NOT_ADDED: badRequest('The passkey was not accepted.'),
  PASSKEY_UNKNOWN: plain(404, 'NOT_FOUND', 'Passkey does not exist.'),
  PASSKEYS_UNAVAILABLE: badRequest('Passkeys need a PUBLIC_URL with a name and https.'),
  TOO_MANY_PASSKEYS: badRequest(
    ({ countMax }: { countMax: number }) => `You have too many passkeys (maximum ${countMax}).`,
  ),
  OWN_FACTORS_RESET: badRequest('Change your own second factors in your own account.'),
} satisfies ErrorCases

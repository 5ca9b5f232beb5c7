/** Failures of accounts and user statuses. */

import { badRequest, type ErrorCases, worded } from './error-case.ts'

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
  TOO_MANY_ADDRESS_MAILS: badRequest(
    'Too many mails were sent to confirm a new address. Try again in an hour.',
  ),
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

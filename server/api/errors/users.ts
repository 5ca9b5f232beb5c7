/** Failures around accounts, and how users are. */

import { type ErrorCases, plain, worded } from './error-case.ts'

export const USER_ERRORS = {
  USER_UNKNOWN: plain(400, 'BAD_REQUEST', 'No such user'),
  USER_DEACTIVATED: plain(400, 'BAD_REQUEST', 'User is deactivated'),
  EMAIL_INVALID: plain(400, 'BAD_REQUEST', 'Invalid email address'),
  EMAIL_TAKEN: worded(
    400,
    'BAD_REQUEST',
    ({ email }: { email: string }) => `Email '${email}' already in use`,
  ),
  PASSWORD_TOO_WEAK: plain(400, 'BAD_REQUEST', 'The password is too weak.'),
  NEW_PASSWORD_TOO_WEAK: plain(400, 'BAD_REQUEST', 'New password is too weak!'),
  OWN_PASSWORD_WRONG: plain(400, 'BAD_REQUEST', 'Wrong password!'),
  EMAIL_CHANGES_DISABLED: plain(
    400,
    'BAD_REQUEST',
    'Email address changes are disabled in this organization.',
  ),
  NAME_CHANGES_DISABLED: plain(400, 'BAD_REQUEST', 'Name changes are disabled in this organization.'),
  TOO_MANY_API_KEYS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many API keys (maximum ${countMax}): make the key anew.`,
  ),
  LAST_OWNER_DEMOTION: plain(
    400,
    'BAD_REQUEST',
    'The owner permission cannot be removed from the only organization owner.',
  ),
  LAST_OWNER_DEACTIVATION: plain(400, 'BAD_REQUEST', 'Cannot deactivate the only organization owner'),
  LAST_USER_LEAVING: worded(
    400,
    'CANNOT_DEACTIVATE_LAST_USER',
    ({ isOwner }: { isOwner: boolean }) =>
      `Cannot deactivate the only ${isOwner ? 'organization owner' : 'user'}.`,
    ({ isOwner }) => ({ is_last_owner: isOwner, entity: isOwner ? 'organization owner' : 'user' }),
  ),
  NAME_TOO_LONG: plain(400, 'BAD_REQUEST', 'Name too long!'),
  NAME_TOO_SHORT: plain(400, 'BAD_REQUEST', 'Name too short!'),
  NAME_CHARACTER: plain(400, 'BAD_REQUEST', 'Invalid characters in name!'),
  NAME_FORMAT: plain(400, 'BAD_REQUEST', 'Invalid format!'),
  FULL_NAME_TAKEN: plain(400, 'BAD_REQUEST', 'Unique names required in this organization.'),
  AVATAR_CHANGES_DISABLED: plain(400, 'BAD_REQUEST', 'Avatar changes are disabled in this organization.'),
  STATUS_UNCHANGED: plain(400, 'BAD_REQUEST', 'Client did not pass any new values.'),
  PRESENCE_OF_BOT: plain(400, 'BAD_REQUEST', 'Presence is not supported for bot users.'),
  PRESENCE_MISSING: worded(400, 'BAD_REQUEST', ({ who }: { who: string }) => `No presence data for ${who}`),
} satisfies ErrorCases

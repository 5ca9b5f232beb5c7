/** Failures around profiles and their fields. */

import { type ErrorCases, plain, worded } from './error-case.ts'

export const PROFILE_ERRORS = {
  PROFILE_OF_BOT: plain(400, 'BAD_REQUEST', 'Bots have no profile.'),
  PROFILE_FIELD_UNKNOWN: worded(400, 'BAD_REQUEST', ({ id }: { id: number }) => `Field id ${id} not found.`),
  PROFILE_FIELD_LOCKED: plain(
    400,
    'BAD_REQUEST',
    'You are not allowed to change this field. Contact an administrator to update it.',
  ),
  PROFILE_VALUE_INVALID: worded(400, 'BAD_REQUEST', ({ message }: { message: string }) => message),
  PROFILE_FIELD_NAME_EMPTY: plain(400, 'BAD_REQUEST', 'Label cannot be blank.'),
  PROFILE_FIELD_NAME_TAKEN: plain(400, 'BAD_REQUEST', 'A field with that label already exists.'),
  PROFILE_FIELD_TYPE_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid field type.'),
  PROFILE_FIELD_DATA_INVALID: worded(400, 'BAD_REQUEST', ({ message }: { message: string }) => message),
  PROFILE_FIELD_FIXED: plain(400, 'BAD_REQUEST', 'Default custom field cannot be updated.'),
  PROFILE_SUMMARY_TYPE: plain(400, 'BAD_REQUEST', 'Field type not supported for display in profile summary.'),
  PROFILE_SUMMARY_FULL: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) =>
      `Only ${countMax} custom profile fields can be displayed in the profile summary.`,
  ),
  PROFILE_ORDER_INVALID: plain(400, 'BAD_REQUEST', 'Invalid order mapping.'),
  TOO_MANY_PROFILE_FIELDS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many custom profile fields (maximum ${countMax}).`,
  ),
} satisfies ErrorCases

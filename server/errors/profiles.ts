/** Failures of profiles and profile fields. */

import { badRequest, type ErrorCases } from './error-case.ts'

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

/** Parameters of accounts. */

import {
  EMAIL_LENGTH_MAX,
  PASSWORD_LENGTH_MAX,
  PROFILE_FIELDS_MAX,
  PROFILE_USERS_MAX,
} from '../../../domain/limits.ts'
import {
  anyOf,
  boolean,
  defaulted,
  id,
  integer,
  list,
  nullable,
  object,
  optional,
  required,
  text,
} from '../../params.ts'
import { ROLES } from '../../../domain/entities.ts'
import { oneOfValues } from '../../one-of-values.ts'
import type { ProfileFieldId } from '../../../domain/ids.ts'

/** A user by email address. */
export const emailParam = required(
  text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }),
  'The email address of the user: the real one, if the caller may see it, or the stand-in address.',
)

/** Characters that are read before the limit of a name or field: longer text gets the error of any text. */
const TEXT_LENGTH_MAX = 10_000

/** The description of names. */
export const FULL_NAME_MEANING = 'The name, of 2 to 100 characters.'
/** A name before validation; `checkFullName` validates it. */
export const fullNameType = text({ lengthMax: TEXT_LENGTH_MAX, trim: true, takesNull: true })

/** A role, by its number. */
export const roleType = oneOfValues(Object.values(ROLES))
/** The description of roles. */
export const ROLE_MEANING = '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.'

const passwordType = text({ lengthMax: PASSWORD_LENGTH_MAX })

/** Some clients send empty strings for unchanged values. */
export const CREDENTIAL_PARAMS = {
  email: optional(
    text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }),
    'A new email address; requires `old_password`. Once confirmed, it is the user name of later requests.',
  ),
  old_password: optional(passwordType, 'The current password, if there is one.'),
  new_password: optional(
    passwordType,
    'A new password, with at least 8 characters; requires `old_password`.',
  ),
  keep_api_keys: defaulted(
    boolean(),
    false,
    'Whether API keys stay valid after a new password. Otherwise it ends all of them but that of the request.',
  ),
}

const entryFields = {
  id: required(id<ProfileFieldId>(), 'The field.'),
  value: required(
    nullable(anyOf(text({ lengthMax: TEXT_LENGTH_MAX }), list(integer(), { lengthMax: PROFILE_USERS_MAX }))),
    'Its value: a text or a list of user ids, depending on the type of the field.',
  ),
}

/** A list of fields with their values. */
export const profileDataType = list(object(entryFields), { lengthMax: PROFILE_FIELDS_MAX })
/** A list of fields. */
export const profileFieldIdsType = list(id<ProfileFieldId>(), { lengthMax: PROFILE_FIELDS_MAX })

/** The parameters of users by id or email address. */

import type { UserId } from '../../../domain/ids.ts'
import { EMAIL_LENGTH_MAX } from '../../../domain/limits.ts'
import { anyOf, id, list, text } from '../../params.ts'

const PRINCIPALS_MAX = 10_000 // A whole large organization.

/** Ids. */
export const userIdsType = list(id<UserId>(), { lengthMax: PRINCIPALS_MAX })

/** Ids, or email addresses. */
export const principalsType = anyOf(
  userIdsType,
  list(text({ lengthMax: EMAIL_LENGTH_MAX }), { lengthMax: PRINCIPALS_MAX }),
)

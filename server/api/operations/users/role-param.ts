/** Roles, as a parameter. */

import { ROLES } from '../../../domain/entities.ts'
import { oneOfValues } from '../../one-of-values.ts'

/** A role, by its number. */
export const roleType = oneOfValues(Object.values(ROLES))
/** What the reference says of roles. */
export const ROLE_MEANING = '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.'

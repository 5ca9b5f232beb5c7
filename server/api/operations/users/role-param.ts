/** The parameter of roles. */

import { ROLES } from '../../../domain/entities.ts'
import { oneOfValues } from '../../one-of-values.ts'

/** A role, by its number. */
export const roleType = oneOfValues(Object.values(ROLES))
/** The description of roles. */
export const ROLE_MEANING = '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.'

/** Visitors: people who read web-public channels without an account. */

import { VISITOR_ID as ALL_VISITORS } from '../../../packages/rules/organization.ts'
import { ROLES, type User } from '../entities.ts'
import type { UserId } from '../ids.ts'

export const VISITOR_ID = ALL_VISITORS as UserId

/**
 * The caller of requests without credentials. A visitor has the rights of a guest without subscriptions, and fewer:
 * channels, addresses and narrows ask for visitors by id.
 */
export const VISITOR: User = {
  id: VISITOR_ID,
  email: '',
  fullName: 'Visitor',
  role: ROLES.guest,
  isActive: true,
  botType: null,
  botOwnerId: null,
  timezone: '',
  joinedAt: 0,
  avatarVersion: 1,
  isSystem: false,
}

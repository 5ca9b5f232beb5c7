/** Visitors: people who read web-public channels without an account. */

import { ROLES, type User } from '../entities.ts'
import type { UserId } from '../ids.ts'

/** The id of all visitors. No account has it: the first one gets 1. */
export const VISITOR_ID = 0 as UserId

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

/** Whether a reader has no account. */
export function isVisitor({ id }: Pick<User, 'id'>): boolean {
  return id === VISITOR_ID
}

/** Tells clients of the email addresses that they now see, or no longer see. */

import { canSeeEmail, EMAIL_VISIBILITIES, type EmailVisibility } from '../../domain/email-addresses.ts'
import type { User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { ServerScope } from '../scope.ts'

/** Shows a user's address to others, or hides it. Clients that no longer see it cannot make the avatar from it. */
export function tellEmailVisibility(
  { state }: Pick<ServerScope, 'state'>,
  user: User,
  visibility: EmailVisibility,
): NewEvent[] {
  if (user.botType !== null) return [] // A bot's address is never hidden.
  const before = state.emailVisibilityOf(user)
  const { activeUsers } = state.rights
  const changed = activeUsers.toArray().filter((id) => {
    const viewer = state.getUser(id)
    return canSeeEmail(viewer, user, before) !== canSeeEmail(viewer, user, visibility)
  })
  const isForAll = before === EMAIL_VISIBILITIES.everyone || visibility === EMAIL_VISIBILITIES.everyone
  const [gaining, losing] = [true, false].map((isShown) =>
    changed.filter((id) => canSeeEmail(state.getUser(id), user, visibility) === isShown),
  ) as [UserId[], UserId[]]
  const everyone = { kind: 'users', users: activeUsers } as const
  const concerned = isForAll ? activeUsers : UserSet.of(changed)
  return [
    ...(isForAll
      ? [{ event: { type: 'realm_user/email', userId: user.id }, audience: everyone } as const]
      : []),
    ...tellSight(user.id, true, gaining),
    ...tellSight(user.id, false, losing),
    ...(concerned.size === 0
      ? []
      : [
          {
            event: { type: 'realm_user/avatar_shown', userId: user.id },
            audience: { kind: 'users', users: concerned },
          } as const,
        ]),
  ]
}

/**
 * Gives a user another address, and tells the users who may see it from now on. If everyone may, clients also know the
 * user by it and make the avatar from it.
 */
export function changeEmail(
  { state }: Pick<ServerScope, 'state'>,
  user: User,
  email: string,
  visibility: EmailVisibility,
): NewEvent[] {
  const { activeUsers } = state.rights
  const everyone = { kind: 'users', users: activeUsers } as const
  const viewers = activeUsers.toArray().filter((id) => canSeeEmail(state.getUser(id), user, visibility))
  return [
    {
      event: { type: 'realm_user/update', userId: user.id, changes: { email } },
      audience: { kind: 'nobody' },
    },
    ...(visibility === EMAIL_VISIBILITIES.everyone
      ? [
          { event: { type: 'realm_user/email', userId: user.id }, audience: everyone } as const,
          { event: { type: 'realm_user/avatar_shown', userId: user.id }, audience: everyone } as const,
        ]
      : []),
    ...tellSight(user.id, true, viewers),
  ]
}

/** Tells a user whose role changes of the addresses that they now see, or no longer see. */
export function tellSightOfEmails(
  { state }: Pick<ServerScope, 'state'>,
  before: User,
  after: User,
): NewEvent[] {
  if (!after.isActive) return []
  const viewers = UserSet.of([after.id])
  // Users without settings have the default visibility, which shows the same to every role.
  return [...state.userSettings.keys()].flatMap((id): NewEvent[] => {
    const user = state.getUser(id)
    const visibility = state.emailVisibilityOf(user)
    const isShown = canSeeEmail(after, user, visibility)
    if (isShown === canSeeEmail(before, user, visibility)) return []
    return [
      ...tellSight(id, isShown, [after.id]),
      { event: { type: 'realm_user/avatar_shown', userId: id }, audience: { kind: 'users', users: viewers } },
    ]
  })
}

function tellSight(userId: UserId, isShown: boolean, viewerIds: readonly UserId[]): NewEvent[] {
  if (viewerIds.length === 0) return []
  return [
    {
      event: { type: 'realm_user/delivery_email', userId, isShown },
      audience: { kind: 'users', users: UserSet.of(viewerIds) },
    },
  ]
}

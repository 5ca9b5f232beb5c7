/** Recipients of changes in the email addresses that users see. */

import { canSeeEmail, EMAIL_VISIBILITIES, type EmailVisibility } from '../domain/users/email-addresses.ts'
import type { NewEvent } from '../domain/events.ts'
import type { UserId } from '../domain/ids.ts'
import { UserSet } from '../domain/users/user-set.ts'
import { showsGravatar } from '../state/picture-source.ts'
import { noticeTo } from './notifier.ts'
import type { StateChange } from './state-change.ts'

/** Shows a user's address to more users, or to fewer. Clients that no longer see it cannot make the avatar from it. */
export function notifyEmailVisibility(
  { before: state }: StateChange,
  userId: UserId,
  visibility: EmailVisibility,
): NewEvent[] {
  const user = state.getUser(userId)
  if (user.botType !== null) return [] // A bot's address is never hidden.
  const { activeUsers } = state.rights
  const visibilityBefore = state.emailVisibilityOf(user)
  const seesBefore = (id: UserId) => canSeeEmail(state.getUser(id), user, visibilityBefore)
  const seesAfter = (id: UserId) => canSeeEmail(state.getUser(id), user, visibility)
  const viewers = activeUsers.toArray()
  const gaining = viewers.filter((id) => seesAfter(id) && !seesBefore(id))
  const losing = viewers.filter((id) => seesBefore(id) && !seesAfter(id))
  const isForAll = [visibilityBefore, visibility].includes(EMAIL_VISIBILITIES.everyone)
  return [
    ...(isForAll ? noticeTo(activeUsers, { type: 'realm_user/email', userId }) : []),
    ...noticeTo(UserSet.of(gaining), { type: 'realm_user/delivery_email', userId, isShown: true }),
    ...noticeTo(UserSet.of(losing), { type: 'realm_user/delivery_email', userId, isShown: false }),
    ...(showsGravatar(userId, state)
      ? noticeTo(isForAll ? activeUsers : UserSet.of([...gaining, ...losing]), {
          type: 'realm_user/avatar_shown',
          userId,
        })
      : []),
  ]
}

/**
 * Shows another address of a user to the users who may see it. If everyone may, clients also know the user by it and
 * make the avatar from it.
 */
export function notifyNewEmail({ before, after }: StateChange, userId: UserId): NewEvent[] {
  const { activeUsers } = before.rights
  const user = before.getUser(userId)
  const visibility = after.emailVisibilityOf(user)
  const isForAll = visibility === EMAIL_VISIBILITIES.everyone
  const viewers = activeUsers.toArray().filter((id) => canSeeEmail(before.getUser(id), user, visibility))
  return [
    ...(isForAll ? noticeTo(activeUsers, { type: 'realm_user/email', userId }) : []),
    ...(isForAll && showsGravatar(userId, before)
      ? noticeTo(activeUsers, { type: 'realm_user/avatar_shown', userId })
      : []),
    ...noticeTo(UserSet.of(viewers), { type: 'realm_user/delivery_email', userId, isShown: true }),
  ]
}

/** Notices of addresses that appear or disappear for users with a new role. */
export function notifyEmailsByRole({ before: state, roleChanges }: StateChange): readonly NewEvent[] {
  // Users without settings have the default visibility, which shows the same to every role.
  return roleChanges.flatMap(({ before, after }) =>
    [...state.userSettings.keys()].flatMap((userId): NewEvent[] => {
      const user = state.getUser(userId)
      const visibility = state.emailVisibilityOf(user)
      const isShown = canSeeEmail(after, user, visibility)
      if (isShown === canSeeEmail(before, user, visibility)) return []
      const viewer = UserSet.of([after.id])
      return [
        ...noticeTo(viewer, { type: 'realm_user/delivery_email', userId, isShown }),
        ...(showsGravatar(userId, state)
          ? noticeTo(viewer, { type: 'realm_user/avatar_shown', userId })
          : []),
      ]
    }),
  )
}

/** Recipients of facts about accounts, statuses, settings and invitations. */

import { drawnPictureOf, encodeDrawnPicture } from '../domain/files/drawn-pictures.ts'
import type { EventOf, NewEvent } from '../domain/events.ts'
import type { InvitationChange } from '../domain/events/invites.ts'
import type { UserId } from '../domain/ids.ts'
import { legacyTypeOf } from '../domain/settings/legacy-settings.ts'
import { UserSet } from '../domain/users/user-set.ts'
import { notifyAccounts } from './accounts.ts'
import { notifyEmailVisibility, notifyNewEmail } from './addresses.ts'
import { notifyManagers } from './bots.ts'
import { showsGravatar } from '../state/picture-source.ts'
import type { StateChange } from './state-change.ts'
import { everyone, NOBODY, noticeTo, type Notifier, toUsers } from './notifier.ts'

/** Older clients learn from the status that a user wants to be invisible. */
export const notifyNewUsers: Notifier<EventOf<'realm_user/add'>> = (facts, { before }) => {
  const { activeUsers } = before.rights
  return facts.flatMap((fact) => {
    const { user, settings } = fact
    const away = { type: 'user_status/shown', userId: user.id, changes: {}, isAway: true } as const
    return [
      { event: fact, audience: toUsers(activeUsers) },
      ...(settings?.presenceEnabled === false ? noticeTo(activeUsers, away) : []),
    ]
  })
}

/** Everyone gets a change of an account, but only users who may see the address get a change of it. */
export const notifyUserUpdates: Notifier<EventOf<'realm_user/update'>> = (facts, change) => {
  const everyone = toUsers(change.staying)
  const entries = facts.flatMap((fact): NewEvent[] => {
    const { userId, changes } = fact
    const { fullName, botOwnerId, email } = changes
    if (email !== undefined) return [{ event: fact, audience: NOBODY }, ...notifyNewEmail(change, userId)]
    const shown = {
      ...(fullName === undefined ? {} : { fullName }),
      ...(botOwnerId === undefined ? {} : { botOwnerId }),
    }
    const isShown = Object.keys(shown).length > 0
    const isRedrawn = fullName !== undefined && hasOtherPicture(change, userId)
    return [
      { event: fact, audience: everyone },
      ...(isRedrawn ? noticeTo(change.staying, { type: 'realm_user/avatar_shown', userId }) : []),
      ...(isShown
        ? notifyManagers(change, change.before.getUser(userId), {
            ...shown,
            ...(isRedrawn ? { hasNewAvatar: true as const } : {}),
          })
        : []),
    ]
  })
  const accounts = [false, true].map((isActive) => ({
    isActive,
    userIds: facts.filter(({ changes }) => changes.isActive === isActive).map(({ userId }) => userId),
  }))
  const changed = accounts.filter(({ userIds }) => userIds.length > 0)
  return [...entries, ...changed.flatMap((one) => notifyAccounts(change, one))]
}

/** Whether a new name changes the drawn picture of a user. */
function hasOtherPicture({ before, after }: StateChange, userId: UserId): boolean {
  if (showsGravatar(userId, before) || before.avatars.has(userId)) return false
  const [former, present] = [before, after].map((state) =>
    encodeDrawnPicture(drawnPictureOf(state.getUser(userId))),
  )
  return former !== present
}

export const notifyAvatars: Notifier<EventOf<'realm_user/avatar'>> = (facts, change) =>
  facts.flatMap((fact) => [
    ...everyone([fact], change),
    ...notifyManagers(change, change.before.getUser(fact.userId), { hasNewAvatar: true }),
  ])

const isPerson = (state: StateChange['before'], userId: UserId) => state.getUser(userId).botType === null

/** Only the user gets a setting. Everyone gets its results: another visible address, or another presence. */
export const notifySettings: Notifier<EventOf<'user_settings/update'>> = (facts, change) =>
  facts.flatMap((fact): NewEvent[] => {
    const { userId, change: setting } = fact
    const owner = UserSet.of([userId])
    const type = legacyTypeOf(setting.name)
    const clients = 'without_settings_object'
    return [
      { event: fact, audience: toUsers(owner) },
      ...(type === undefined ? [] : noticeTo(owner, { type, userId, change: setting, clients })),
      ...(setting.name === 'emailAddressVisibility'
        ? notifyEmailVisibility(change, userId, setting.value)
        : []),
      ...(setting.name === 'allowPrivateDataExport' && isPerson(change.before, userId)
        ? noticeTo(change.before.rights.activeAdministrators, {
            type: 'realm_export_consent',
            userId,
            isConsenting: setting.value,
          })
        : []),
      ...(setting.name === 'presenceEnabled'
        ? noticeTo(change.before.rights.activeUsers, {
            type: 'user_status/shown',
            userId,
            changes: {},
            isAway: !setting.value,
          })
        : []),
    ]
  })

/** Administrators see all invitations, and inviters their own. */
export const notifyInvitations: Notifier<EventOf<'invites_changed'>> = (facts, { after: { rights } }) =>
  facts.map((fact, index) => {
    const next = facts[index + 1]?.change.kind
    // Of several mails of one request, clients get one event.
    if (fact.change.kind === 'mailed' && next === 'mailed') return { event: fact, audience: NOBODY }
    const inviters = invitersOf(fact.change).filter((id) => rights.activeUsers.has(id))
    return { event: fact, audience: toUsers(rights.activeAdministrators.with(inviters)) }
  })

function invitersOf(change: InvitationChange): readonly UserId[] {
  if (change.kind === 'accepted') return change.inviterIds
  return [change.kind === 'made' || change.kind === 'mailed' ? change.invitation.inviterId : change.inviterId]
}

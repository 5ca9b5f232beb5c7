/** `GET /users/{user_id_or_email}/presence`. */

import { nowSeconds } from '../../../domain/clock.ts'
import { readStandInAddress } from '../../../domain/users/email-addresses.ts'
import type { UserId } from '../../../domain/ids.ts'
import { isOffline } from '../../../domain/users/presence.ts'
import { USER_PRESENCE, viewLegacyPresence, viewPresence } from '../../../views/presence-view.ts'
import { operation } from '../../operation.ts'
import { NUMBER } from '../../../domain/json-schema.ts'
import { emailParam } from './email-param.ts'
import { findAddressedUser, findTargetUser } from '../../../decisions/users/find-target-user.ts'

export const getUserPresence = operation({
  method: 'GET',
  path: '/users/{user_id_or_email}/presence',
  summary: "Get a user's presence",
  description: 'The last activity of a user, by id or email address.',
  access: 'user',
  params: { user_id_or_email: emailParam },
  reply: {
    presence: {
      schema: USER_PRESENCE,
      description: 'The last activity of the user, in the current form and the legacy one.',
    },
    server_timestamp: { schema: NUMBER, description: 'UNIX seconds of the reply.' },
  },
  errors: ['USER_UNKNOWN', 'PRESENCE_OF_BOT', 'PRESENCE_MISSING'],
  events: [],
  run({ user: caller, params: { user_id_or_email: who }, services: { state, presences, clock }, fail }) {
    const scope = { state, caller, fail }
    const id = isId(who) ? (Number(who) as UserId) : undefined
    // If presence is not limited, callers may ask about users whom they do not know, by id or stand-in address.
    const watchedId = id ?? readStandInAddress(who, state.emailHost)
    const watched = state.limitsPresence || watchedId === undefined ? undefined : state.users.get(watchedId)
    const target =
      (watched?.isSystem === false ? watched : undefined) ??
      (id === undefined ? findAddressedUser(scope, who) : findTargetUser(scope, id))
    if (!target.isActive) throw fail('USER_UNKNOWN')
    if (target.botType !== null) throw fail('PRESENCE_OF_BOT')
    const presence = presences.find(target.id)
    if (!presence) throw fail('PRESENCE_MISSING', { who })
    const { website, aggregated } = viewLegacyPresence(presence)
    const status = isOffline(presence, nowSeconds(clock)) ? ('offline' as const) : aggregated.status
    return {
      presence: {
        ...viewPresence(presence, target),
        aggregated: { status, timestamp: aggregated.timestamp },
        website: { status: website.status, timestamp: website.timestamp },
      },
      server_timestamp: clock.nowMs() / 1000,
    }
  },
})

function isId(text: string): boolean {
  return /^[0-9]{1,15}$/.test(text)
}

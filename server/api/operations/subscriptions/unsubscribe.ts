/** `DELETE /users/me/subscriptions`: ends subscriptions, one's own or those of others. */

import type { Decision } from '../../../actors/committer.ts'
import { canRemoveSubscriber, canSeeChannel } from '../../../domain/channel-access.ts'
import type { User } from '../../../domain/entities.ts'
import type { NewEvent } from '../../../domain/events.ts'
import { CHANNELS_PER_CALL_MAX, SUBSCRIPTIONS_PER_CALL_MAX } from '../../../domain/limits.ts'
import { UserSet } from '../../../domain/user-set.ts'
import type { ChannelState, OrganizationState } from '../../../state/organization-state.ts'
import type { Fail } from '../../errors.ts'
import { findPrincipals, principalsType } from '../../find-principals.ts'
import { operation } from '../../operation.ts'
import { list, optional, required, text } from '../../params.ts'
import { arrayOf, STRING } from '../../reply-schemas.ts'

export const unsubscribe = operation({
  method: 'DELETE',
  path: '/users/me/subscriptions',
  summary: 'Unsubscribe from a channel',
  description:
    'Administrators may remove anyone from any channel; others themselves, and their bots from channels they ' +
    'can access. All of it happens, or nothing.',
  access: 'user',
  params: {
    subscriptions: required(list(text(), { lengthMax: CHANNELS_PER_CALL_MAX }), 'The names of the channels.'),
    principals: optional(
      principalsType,
      'Whom to unsubscribe, by ids or email addresses; the caller by default.',
    ),
  },
  reply: {
    removed: { schema: arrayOf(STRING), description: 'A name for each subscription that ended.' },
    not_removed: { schema: arrayOf(STRING), description: 'A name for each that there was not.' },
  },
  errors: [
    'CHANNEL_NAMED_UNKNOWN',
    'PERMISSION_MISSING',
    'USER_UNKNOWN',
    'USER_DEACTIVATED',
    'TOO_MANY_SUBSCRIPTIONS',
  ],
  events: ['subscription/remove', 'subscription/peer_remove', 'stream/delete'],
  run: ({ user, params, services, fail }) =>
    services.committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        const users = findPrincipals(params.principals, caller, state, fail)
        return decideUnsubscribe(state, caller, users, params.subscriptions, fail)
      },
    }),
})

type UnsubscribeFail = Fail<'CHANNEL_NAMED_UNKNOWN' | 'PERMISSION_MISSING' | 'TOO_MANY_SUBSCRIPTIONS'>

function decideUnsubscribe(
  state: OrganizationState,
  caller: User,
  users: readonly User[],
  names: readonly string[],
  fail: UnsubscribeFail,
): Decision<{ removed: string[]; not_removed: string[] }> {
  const channels = new Set(
    names.map((given) => {
      const name = given.trim()
      const channel = state.findChannelByName(name)
      if (!channel || !canSeeChannel(caller, channel, state.rights))
        throw fail('CHANNEL_NAMED_UNKNOWN', { name })
      return channel
    }),
  )
  if (channels.size * users.length > SUBSCRIPTIONS_PER_CALL_MAX) {
    throw fail('TOO_MANY_SUBSCRIPTIONS', { countMax: SUBSCRIPTIONS_PER_CALL_MAX })
  }
  const removed: string[] = []
  const notRemoved: string[] = []
  const events: NewEvent[] = []
  for (const channel of channels) {
    const leaving: User[] = []
    for (const user of users) {
      if (!canRemoveSubscriber(caller, user, channel, state.rights)) throw fail('PERMISSION_MISSING')
      if (channel.subscribers.has(user.id)) leaving.push(user)
      else notRemoved.push(channel.channel.name)
    }
    removed.push(...leaving.map(() => channel.channel.name))
    if (leaving.length > 0) events.push(...leave(state, channel, leaving))
  }
  return { events, reply: () => ({ removed, not_removed: notRemoved }) }
}

/** Those who leave are told, then those who stay to see it; and who may not see the channel any more, that it is gone. */
function leave(state: OrganizationState, channel: ChannelState, users: readonly User[]): NewEvent[] {
  const channelIds = [channel.channel.id]
  const userIds = users.map(({ id }) => id)
  const after = { ...channel, subscribers: channel.subscribers.without(userIds) }
  const blindedIds = users.filter((user) => !canSeeChannel(user, after, state.rights)).map(({ id }) => id)
  const events: NewEvent[] = [
    {
      event: { type: 'subscription/remove', channelIds, userIds, names: [channel.channel.name] },
      audience: { kind: 'users', users: UserSet.of(userIds) },
    },
  ]
  // Those who leave together see each other leave, as far as they still see the channel.
  const staying = state.observersOf(after)
  const observers = userIds.length === 1 ? staying.without(userIds) : staying
  if (observers.size > 0) {
    events.push({
      event: { type: 'subscription/peer_remove', channelIds, userIds },
      audience: { kind: 'users', users: observers },
    })
  }
  if (blindedIds.length > 0) {
    events.push({
      event: { type: 'stream/delete', channelIds },
      audience: { kind: 'users', users: UserSet.of(blindedIds) },
    })
  }
  return events
}

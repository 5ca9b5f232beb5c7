/** `PATCH /users/me/subscriptions`: ends and starts subscriptions of the caller at once. */

import { nowSeconds } from '../../../domain/clock.ts'
import { CHANNELS_PER_CALL_MAX } from '../../../domain/limits.ts'
import { newChannelRequest } from '../../../decisions/channels/new-channel.ts'
import { decideSubscribe } from '../../../decisions/channels/subscribe-users.ts'
import { decideUnsubscribe } from '../../../decisions/channels/unsubscribe-users.ts'
import { CHANNEL_TEXT_ERRORS } from '../channels/new-channel-params.ts'
import {
  readWantedChannels,
  SUBSCRIBED_REPLY,
  viewSubscribed,
  wantedChannelsType,
} from './wanted-channels.ts'
import { tellOfNewChannels } from '../../../changes/channels/subscription-notices.ts'
import { fail as failAsAny } from '../../../errors/api-error.ts'
import { operation } from '../../operation.ts'
import { defaulted, list, text } from '../../params.ts'
import { arrayOf, STRING } from '../../../domain/json-schema.ts'

export const changeSubscriptions = operation({
  method: 'PATCH',
  path: '/users/me/subscriptions',
  summary: 'Update subscriptions',
  description:
    'Unsubscribes the caller from some channels and then subscribes them to others, making public ones of ' +
    'those that are not there. All of it happens, or nothing.',
  access: 'user',
  params: {
    delete: defaulted(
      list(text(), { lengthMax: CHANNELS_PER_CALL_MAX }),
      [],
      'The names of the channels to leave.',
    ),
    add: defaulted(wantedChannelsType, [], 'The channels to join.'),
  },
  reply: {
    ...SUBSCRIBED_REPLY,
    removed: { schema: arrayOf(STRING), description: 'The channels left.' },
    not_removed: { schema: arrayOf(STRING), description: 'Those that the caller was not subscribed to.' },
  },
  errors: [
    ...CHANNEL_TEXT_ERRORS,
    'SUBSCRIPTION_CHANGES_MISSING',
    'CHANNEL_NAMED_UNKNOWN',
    'CHANNEL_INACCESSIBLE',
    'SHARE_SPENT',
    'ROLE_REQUIRED',
    'PERMISSION_MISSING',
  ],
  events: [
    'stream/create',
    'stream/delete',
    'subscription/add',
    'subscription/remove',
    'subscription/peer_add',
    'subscription/peer_remove',
    'message',
  ],
  async run({ user, params, services, fail }) {
    if (params.delete.length === 0 && params.add.length === 0) throw fail('SUBSCRIPTION_CHANGES_MISSING')
    const wanted = await readWantedChannels(params.add, services, user.id, fail)
    const newChannel = newChannelRequest(nowSeconds(services.clock))
    const { left, outcome } = await services.committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        const leaving = decideUnsubscribe(state, caller, [caller], params.delete, failAsAny)
        if (wanted.length === 0) {
          const nothing = { channels: [], unauthorized: [] }
          return { events: leaving.events, reply: () => ({ left: leaving, outcome: nothing }) }
        }
        const joining = decideSubscribe(state, {
          caller,
          principals: [caller],
          isUnauthorizedFatal: true,
          wanted,
          newChannel,
          findChannel(name) {
            const channel = state.findChannelByName(name)
            return channel && (leaving.after.get(channel.channel.id) ?? channel)
          },
          fail: failAsAny, // One user in as many channels as may be named, new ones without settings: the rest does not happen.
        })
        return {
          events: [...leaving.events, ...joining.events],
          reply: (firstId) => ({ left: leaving, outcome: joining.reply(firstId) }),
        }
      },
    })
    await tellOfNewChannels(services, user.id, outcome, false)
    return { ...viewSubscribed(outcome), removed: left.removed, not_removed: left.notRemoved }
  },
})

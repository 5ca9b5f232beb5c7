/** Calls in rooms of a LiveKit server. */

import { canSendToChannel, canConverse } from '../../../packages/rules/messages.ts'
import { readAddressSecret } from '../../../db/accounts/signing-secrets.ts'
import { watchCall } from '../../../db/messages/call-messages.ts'
import {
  newRoomCall,
  openRoomCall,
  type RoomCall,
  roomAddress,
  sealRoomCall,
  signRoomToken,
} from '../../changes/calls/livekit.ts'
import { CHANNEL_TARGET_ERRORS, findTargetChannel } from '../../decisions/messages/channel-target.ts'
import { findRecipients, RECIPIENT_ERRORS } from '../../decisions/messages/recipients.ts'
import type { User } from '../../domain/entities.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { STRING } from '../../domain/json-schema.ts'
import { JOIN_ROOM_PATH } from '../../domain/messages/call-links.ts'
import { fail } from '../../errors/api-error.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { operation } from '../operation.ts'
import { id, list, oneOf, optional, required } from '../params.ts'
import type { Services } from '../services.ts'

/** Ids in one list: above the limit of a conversation, so that longer lists get its error. */
const IDS_MAX = 1_000

/** `POST /calls/livekit/create`: a link to a new call. */
export const createRoom = operation({
  method: 'POST',
  path: '/calls/livekit/create',
  summary: 'Create a call at LiveKit',
  description:
    'Returns a link to a new call in a conversation where the caller may write, to send in a message. It opens in a ' +
    'browser that is logged in, and leads into the room under the name of its user. Users join if they may read the ' +
    'conversation, and speak if they may write in it; others get the answer for a wrong link.',
  access: 'user',
  params: {
    type: required(oneOf('direct', 'channel'), 'The kind of conversation.'),
    to: optional(list(id<UserId>(), { lengthMax: IDS_MAX }), 'The users of a direct conversation.'),
    stream_id: optional(id<ChannelId>(), 'The channel.'),
  },
  reply: { url: { schema: STRING, description: 'The path of the link on this server.' } },
  errors: ['LIVEKIT_NOT_CONFIGURED', 'RECIPIENT_LIST_EMPTY', ...CHANNEL_TARGET_ERRORS, ...RECIPIENT_ERRORS],
  events: [],
  async run({ user, params, services, fail }) {
    if (!services.liveKit) throw fail('LIVEKIT_NOT_CONFIGURED')
    const { type, to, stream_id: channelId } = params
    const scope = { state: services.state, caller: user, fail }
    let place: RoomCall['place']
    if (type === 'channel') {
      if (channelId === undefined) throw fail('PARAMETER_MISSING', { name: 'stream_id' })
      findTargetChannel(scope, channelId)
      place = { kind: 'channel', channelId }
    } else {
      if (to === undefined) throw fail('PARAMETER_MISSING', { name: 'to' })
      if (to.length === 0) throw fail('RECIPIENT_LIST_EMPTY')
      const userIds = findRecipients(scope, to).map((one) => one.id)
      place = { kind: 'direct', userIds: userIds.toSorted((a, b) => a - b) }
    }
    const sealed = sealRoomCall(await readAddressSecret(services.sql), newRoomCall(place))
    return { url: `${JOIN_ROOM_PATH}?${new URLSearchParams({ call: sealed }).toString()}` }
  },
})

/** The address at which a user is in the call of a link; undefined if there is no such call for them. */
export async function joinRoom(
  { liveKit, sql, state, clock }: Services,
  user: User,
  sealed: string,
): Promise<string | undefined> {
  if (!liveKit) throw fail('LIVEKIT_NOT_CONFIGURED')
  const call = openRoomCall(await readAddressSecret(sql), sealed)
  const right = call && findRight(state, user, call.place)
  if (!call || !right) return undefined
  await watchCall(sql, { provider: 'livekit', room: call.room })
  const token = signRoomToken(
    liveKit,
    { user, room: call.room, canPublish: right === 'write' },
    clock.nowMs(),
  )
  return roomAddress(liveKit, token)
}

/** The right of a user in a conversation now; undefined for none. */
function findRight(
  state: OrganizationState,
  user: User,
  place: RoomCall['place'],
): 'read' | 'write' | undefined {
  if (place.kind === 'channel') {
    const channel = state.findReadableChannel(user, place.channelId)
    if (!channel) return undefined
    return canSendToChannel(user, channel, state.rights) ? 'write' : 'read'
  }
  if (!place.userIds.includes(user.id)) return undefined
  const people = place.userIds.map((userId) => state.getUser(userId))
  return canConverse(user, people, state) ? 'write' : 'read'
}

/** `GET /streams/{stream_id}/email_address`: the address for mails to a channel. */

import { makeChannelAddress } from '../../../changes/mail-in/mail-addresses.ts'
import { findActing, OWN_BOT } from '../../../changes/mail-in/mail-sender.ts'
import { checkPosting } from '../../../decisions/messages/channel-target.ts'
import type { ChannelId, UserId } from '../../../domain/ids.ts'
import { STRING } from '../../../domain/json-schema.ts'
import { operation } from '../../operation.ts'
import { id, optional, required } from '../../params.ts'

export const getChannelEmail = operation({
  method: 'GET',
  path: '/streams/{stream_id}/email_address',
  summary: "Get a channel's email address",
  description:
    'An address at which mails become messages of the channel, in the topic of their subject, by the rights that the ' +
    'caller has at that time. It is the same each time, and works for everybody who has it: keep it secret.',
  access: 'user',
  params: {
    stream_id: required(id<ChannelId>(), 'The channel.'),
    sender_id: optional(
      id<UserId>(),
      "The sender of the messages: the server's bot by default, or the caller, whose mails must come from the address of " +
        'the account, or a bot of the caller.',
    ),
  },
  reply: {
    email: { schema: STRING, description: 'The address; empty if the server takes no mails.' },
  },
  errors: ['CHANNEL_UNKNOWN', 'CHANNEL_CLOSED', 'POSTING_FORBIDDEN', 'USER_UNKNOWN'],
  events: [],
  async run({ params, user, services: { sql, state, mailInPattern }, fail }) {
    const channel = state.findReadableChannel(user, params.stream_id)
    if (!channel) throw fail('CHANNEL_UNKNOWN')
    checkPosting({ state, caller: user, fail }, channel)
    const given = params.sender_id
    const senderId = given === undefined || given === state.findSystemBot()?.id ? OWN_BOT : given
    const address = { channelId: channel.channel.id, creatorId: user.id, senderId }
    const acting = findActing(state, address)
    if (!acting) throw fail('USER_UNKNOWN')
    if (!state.findReadableChannel(acting, params.stream_id)) throw fail('CHANNEL_UNKNOWN')
    checkPosting({ state, caller: acting, fail }, channel)
    return { email: mailInPattern ? await makeChannelAddress(sql, mailInPattern, address) : '' }
  },
})

/** `POST /messages/{message_id}/report`: reports a message to the moderators. */

import type { MessageId } from '../../../domain/ids.ts'
import { REPORT_DESCRIPTION_LENGTH_MAX } from '../../../../packages/rules/limits.ts'
import { ApiError } from '../../../errors/api-error.ts'
import { findMessage } from '../../../changes/messages/find-message.ts'
import { REPORT_REASONS, reportTopic, wordReport } from '../../../decisions/messages/report-wording.ts'
import { noticeTexts } from '../../../decisions/notice-wording.ts'
import { postOrThrow } from '../../../changes/messages/send-notice.ts'
import { operation } from '../../operation.ts'
import { defaulted, id, oneOf, required, text } from '../../params.ts'

export const reportMessage = operation({
  method: 'POST',
  path: '/messages/{message_id}/report',
  summary: 'Report a message',
  description:
    'Posts a message and the reason of the report to the moderation channel, if the organization has one.',
  access: 'user',
  params: {
    message_id: required(id<MessageId>(), 'The message.'),
    report_type: required(oneOf(...REPORT_REASONS), 'The reason of the report.'),
    description: defaulted(
      text({ lengthMax: REPORT_DESCRIPTION_LENGTH_MAX, trim: true }),
      '',
      'An explanation in Markdown; required for `other`.',
    ),
  },
  reply: {},
  errors: [
    'MODERATION_CHANNEL_MISSING',
    'EXPLANATION_MISSING',
    'MESSAGE_UNKNOWN',
    'MESSAGE_RENDERING_FAILED',
  ],
  events: ['message'],
  async run({ params, user, services, fail }) {
    const { state } = services
    const { report_type: reason, description } = params
    const findChannel = () => {
      const channelId = state.settings.moderationChannelId
      const channel = channelId === null ? undefined : state.getChannel(channelId)
      if (!channel || channel.channel.isArchived) throw fail('MODERATION_CHANNEL_MISSING')
      return channel
    }
    findChannel()
    if (reason === 'other' && description === '') throw fail('EXPLANATION_MISSING')
    const found = await findMessage(params.message_id, user, services)
    if (!found) throw fail('MESSAGE_UNKNOWN')
    const { message } = found
    const channel = findChannel() // After the await, so that it is the current channel.
    const topic = reportTopic(noticeTexts(state), state.getUser(message.senderId), channel.channel)
    const post = (isQuoting: boolean) => {
      const content = wordReport({ message, reporter: user, reason, description, isQuoting }, channel, state)
      return postOrThrow(services, user.id, { channelId: channel.channel.id, topic, content })
    }
    // A message with any text can be reported.
    await post(true).catch((error: unknown) => {
      if (error instanceof ApiError && error.errorName === 'MESSAGE_RENDERING_FAILED') return post(false)
      throw error
    })
    return {}
  },
})

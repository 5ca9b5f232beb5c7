/** `POST /realm/test_welcome_bot_custom_message`: sends a welcome message to the administrator who writes it. */

import { WELCOME_MESSAGE_LENGTH_MAX } from '../../../../packages/rules/limits.ts'
import { sendTestNotice } from '../../../changes/messages/send-notice.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { checkAdministrator } from '../../../decisions/check-caller.ts'

export const testWelcomeMessage = operation({
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  summary: 'Test a welcome message',
  description: 'For administrators. Sends them the direct message that new users get.',
  access: 'user',
  params: {
    welcome_message_custom_text: required(
      text({ lengthMax: WELCOME_MESSAGE_LENGTH_MAX }),
      'The message, in Markdown.',
    ),
  },
  reply: { message_id: { schema: INTEGER, description: 'The id of the message.' } },
  errors: ['ROLE_REQUIRED', 'MESSAGE_EMPTY'],
  events: ['message'],
  async run({ params: { welcome_message_custom_text: content }, user, services, fail }) {
    checkAdministrator({ caller: user, fail })
    if (content.trim() === '') throw fail('MESSAGE_EMPTY')
    return { message_id: await sendTestNotice(services, user.id, content) }
  },
})

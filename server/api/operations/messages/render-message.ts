/** `POST /messages/render`: renders a message without sending it. */

import { MESSAGE_LENGTH_MAX } from '../../../../packages/rules/limits.ts'
import { gatherSnapshot } from '../../../changes/messages/mention-snapshot.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'
import { STRING } from '../../../domain/json-schema.ts'

export const renderMessage = operation({
  method: 'POST',
  path: '/messages/render',
  summary: 'Render a message',
  description:
    'Returns the HTML that a message with this text would have, with the names that the caller may see; sends nothing.',
  access: 'user',
  params: {
    content: required(text({ lengthMax: MESSAGE_LENGTH_MAX, trim: 'end' }), 'The text, in Markdown.'),
  },
  reply: { rendered: { schema: STRING, description: 'HTML.' } },
  errors: ['MESSAGE_RENDERING_FAILED'],
  events: [],
  async run({ params, user, services }) {
    const snapshot = await gatherSnapshot(params.content, user, services)
    const { html } = await services.renderMessage(params.content, snapshot, {
      userId: user.id,
      kind: 'preview',
    })
    return { rendered: html }
  },
})

/** `POST /messages/render`: what a message would look like. */

import { MESSAGE_LENGTH_MAX } from '../../../domain/limits.ts'
import { gatherSnapshot } from '../../../changes/messages/mention-snapshot.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'
import { STRING } from '../../../domain/json-schema.ts'

export const renderMessage = operation({
  method: 'POST',
  path: '/messages/render',
  summary: 'Render a message',
  description:
    'The HTML of a text as a message of it would have, with the names that the caller may know; nothing is sent.',
  access: 'user',
  params: { content: required(text({ lengthMax: MESSAGE_LENGTH_MAX }), 'The text, in Markdown.') },
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

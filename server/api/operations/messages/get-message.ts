/** `GET /messages/{message_id}`: one message. */

import type { MessageId } from '../../../domain/ids.ts'
import { ROLES } from '../../../../packages/rules/roles.ts'
import { isVisitor } from '../../../../packages/rules/organization.ts'
import { flagsFor } from '../../narrow/flags-for.ts'
import { encodeMessage, MESSAGE } from '../../../views/message-view.ts'
import { findMessage } from '../../../changes/messages/find-message.ts'
import { EncodedField, operation } from '../../operation.ts'
import { boolean, defaulted, id, required } from '../../params.ts'
import { STRING } from '../../../domain/json-schema.ts'
import { encodeEnd } from '../../../views/message-page.ts'

export const getMessage = operation({
  method: 'GET',
  path: '/messages/{message_id}',
  summary: 'Get a message',
  description: 'One message, if the user can read it. Visitors read those of web-public channels.',
  access: 'visitor',
  params: {
    message_id: required(id<MessageId>(), 'The message.'),
    apply_markdown: defaulted(boolean(), true, 'Whether content is HTML rather than Markdown.'),
    allow_empty_topic_name: defaulted(boolean(), false, 'Whether the empty topic is sent as empty.'),
  },
  reply: {
    message: { schema: MESSAGE, description: 'The message.' },
    raw_content: { schema: STRING, description: 'Its content in Markdown, for older clients.' },
  },
  errors: ['MESSAGE_UNKNOWN'],
  events: [],
  async run({ params, user, userAgent, services, fail }) {
    const found = await findMessage(params.message_id, user, services)
    if (!found) throw fail('MESSAGE_UNKNOWN')
    const { message } = found
    const encoded = encodeMessage(message, services.state, {
      applyMarkdown: params.apply_markdown,
      clientGravatar: !isVisitor(user),
      allowEmptyTopic: params.allow_empty_topic_name,
      isGuest: user.role === ROLES.guest,
      viewerId: user.id,
      namesReactors: services.names.namesReactors || isVisitor(user),
      readsOriginalTypes: services.names.readsOriginalTypes(userAgent),
    })
    return {
      message: new EncodedField([encoded + encodeEnd((await flagsFor(user, services)).flagsOf(message))]),
      raw_content: message.content,
    }
  },
})

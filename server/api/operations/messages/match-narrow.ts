/** `GET /messages/matches_narrow`: checks messages against a narrow, and highlights matches. */

import { readMessagesById } from '../../../../db/messages/message-pages.ts'
import type { MessageId } from '../../../domain/ids.ts'
import { MESSAGES_PER_PAGE_MAX } from '../../../../packages/rules/limits.ts'
import { describeMatch, MATCHES } from '../../../views/match-view.ts'
import { narrowType, resolveNarrow } from '../../narrow/find-messages.ts'
import { readInTurn } from '../../narrow/read-in-turn.ts'
import { operation } from '../../operation.ts'
import { defaulted, id, boolean, list, required } from '../../params.ts'

export const matchNarrow = operation({
  method: 'GET',
  path: '/messages/matches_narrow',
  summary: 'Check messages against a narrow',
  description:
    'Returns which of the given messages match a narrow. Clients call it for new messages if they cannot ' +
    'decide it themselves.',
  access: 'user',
  params: {
    msg_ids: required(list(id<MessageId>(), { lengthMax: MESSAGES_PER_PAGE_MAX }), 'The messages.'),
    narrow: required(narrowType, 'Terms of operators and operands, all of which must match.'),
    allow_empty_topic_name: defaulted(boolean(), false, 'Whether the empty topic is sent as empty.'),
  },
  reply: {
    messages: {
      schema: MATCHES,
      description:
        'The matching messages by id: content and topic as HTML, with the searched words highlighted.',
    },
  },
  errors: ['NARROW_INVALID', 'PAGE_TOO_LONG'],
  events: [],
  async run(call) {
    const { params, user, services, fail } = call
    const { state } = services
    const { query, words = [] } = await resolveNarrow(services, { state, caller: user, fail }, params.narrow)
    const found = await readInTurn(call, query, ({ sql }) => readMessagesById(sql, query, params.msg_ids))
    if (!found) throw fail('PAGE_TOO_LONG', { countMax: params.msg_ids.length - 1 })
    return {
      messages: Object.fromEntries(
        found.map((message) => [message.id, describeMatch(message, words, params.allow_empty_topic_name)]),
      ),
    }
  },
})

/** `GET /messages/matches_narrow`: which of some messages a narrow shows, and what it finds in them. */

import { readMessagesById } from '../../../../db/message-pages.ts'
import type { MessageId } from '../../../domain/ids.ts'
import { MESSAGES_PER_PAGE_MAX } from '../../../domain/limits.ts'
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
    'Which of the given messages match a narrow. A client asks so of messages that have just come, ' +
    'where it cannot tell by itself.',
  access: 'user',
  params: {
    msg_ids: required(list(id<MessageId>(), { lengthMax: MESSAGES_PER_PAGE_MAX }), 'The messages.'),
    narrow: required(narrowType, 'Terms of an operator and an operand, all of which must match.'),
    allow_empty_topic_name: defaulted(boolean(), false, 'Whether the empty topic is told as such.'),
  },
  reply: {
    messages: {
      schema: MATCHES,
      description:
        'Of those that match, by id: content and topic as HTML, with what was searched for marked.',
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

/** `POST /messages/flags/narrow`: adds or removes a flag of a page of messages. */

import { MESSAGES_PER_PAGE_MAX } from '../../../domain/limits.ts'
import { changeFlags, channelIdsOf } from '../../../changes/flags/change-flags.ts'
import { FLAG_ERRORS, FLAG_PARAMS, readFlag } from './flag-params.ts'
import { narrowType, resolveNarrow } from '../../narrow/find-messages.ts'
import { readInTurn } from '../../narrow/read-in-turn.ts'
import { readPage, resolveAnchor } from '../../narrow/read-page.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted, integer, required, text } from '../../params.ts'
import { arrayOf, BOOLEAN, INTEGER, orNull } from '../../../domain/json-schema.ts'

export const updateFlagsInNarrow = operation({
  method: 'POST',
  path: '/messages/flags/narrow',
  summary: 'Update personal message flags for a narrow',
  description:
    'Adds or removes a flag of a page of the messages that match a narrow, around an anchor. If there are more ' +
    'messages, a client calls again with the last processed one as the anchor.',
  access: 'user',
  params: {
    anchor: required(
      text({ lengthMax: 100, trim: true }),
      'A message id, or `newest`, `oldest` or `first_unread`.',
    ),
    include_anchor: defaulted(boolean(), true, 'Whether to include the message of the anchor.'),
    num_before: required(integer({ min: 0 }), 'The number of messages before the anchor.'),
    num_after: required(integer({ min: 0 }), 'The number of messages after the anchor.'),
    narrow: defaulted(narrowType, [], 'Terms of operators and operands, all of which must match.'),
    ...FLAG_PARAMS,
  },
  reply: {
    processed_count: { schema: INTEGER, description: 'The number of messages on the page.' },
    updated_count: { schema: INTEGER, description: 'The number of changed messages.' },
    first_processed_id: { schema: orNull(INTEGER), description: 'The oldest of them.' },
    last_processed_id: { schema: orNull(INTEGER), description: 'The newest of them.' },
    found_oldest: { schema: BOOLEAN, description: 'Whether there are no older ones.' },
    found_newest: { schema: BOOLEAN, description: 'Whether there are no newer ones.' },
    ignored_because_not_subscribed_channels: {
      schema: arrayOf(INTEGER),
      description: 'Channels whose messages were not changed.',
    },
  },
  errors: ['NARROW_INVALID', 'PAGE_TOO_LONG', 'ANCHOR_INVALID', ...FLAG_ERRORS],
  events: ['update_message_flags'],
  async run(call) {
    const { params, user, services, fail } = call
    const { state } = services
    const change = { op: params.op, flag: readFlag(params.flag, fail) }
    const { num_before: before, num_after: after, include_anchor: isAnchorIncluded } = params
    if (before + after > MESSAGES_PER_PAGE_MAX)
      throw fail('PAGE_TOO_LONG', { countMax: MESSAGES_PER_PAGE_MAX })
    const { query } = await resolveNarrow(services, { state, caller: user, fail }, params.narrow)
    const page = await readInTurn(call, query, async (source) => {
      const anchor = await resolveAnchor(params.anchor, undefined, source.sql, query)
      if (typeof anchor !== 'number') throw fail('ANCHOR_INVALID')
      return readPage(source, query, { anchor, before, after, isAnchorIncluded })
    })
    const { messages } = page
    const { changed, ignored } = await changeFlags(services, user.id, change, messages)
    return {
      processed_count: messages.length,
      updated_count: changed.length,
      first_processed_id: messages[0]?.id ?? null,
      last_processed_id: messages.at(-1)?.id ?? null,
      found_oldest: page.isOldestFound,
      found_newest: page.isNewestFound,
      ignored_because_not_subscribed_channels: channelIdsOf(ignored),
    }
  },
})

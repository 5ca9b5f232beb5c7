/** One message, and its history. */

import { isVisitor } from '../../../../packages/rules/organization.ts'
import { topicDisplayName } from '../../../../packages/rules/topics.ts'
import type { MessageId } from '../../../domain/ids.ts'
import { ROLES } from '../../../../packages/rules/roles.ts'
import type { EventId, UserId } from '../../../domain/ids.ts'
import { flagsFor } from '../../narrow/flags-for.ts'
import { encodeMessage, MESSAGE } from '../../../views/message-view.ts'
import { findMessage } from '../../../changes/messages/find-message.ts'
import { EncodedField, operation } from '../../operation.ts'
import { boolean, defaulted, id, required } from '../../params.ts'
import { arrayOf, STRING } from '../../../domain/json-schema.ts'
import { encodeEnd } from '../../../views/message-page.ts'
import { readDiffs, storeDiffs } from '../../../../db/messages/edit-history.ts'
import { DiffOverloadError } from '../../../../workers/pool/differ.ts'
import { encodeVersion, HISTORY_SNAPSHOT, listVersions, type Version } from '../../../views/history-view.ts'
import type { JsonPiece } from '../../../views/json-pieces.ts'
import type { Services } from '../../services.ts'

/** `GET /messages/{message_id}`: one message. */
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

/** `GET /messages/{message_id}/history`: the versions of a message. */
export const getHistory = operation({
  method: 'GET',
  path: '/messages/{message_id}/history',
  summary: "Get a message's edit history",
  description:
    'The original message, and its versions after each edit and move, the oldest first.\n\n' +
    'Channels that the user may not see, and their topics, are hidden: the version shows the next visible place of ' +
    'the message. If the organization shows only moves, edits of the content are omitted, and each snapshot has the ' +
    'current content.',
  access: 'user',
  params: {
    message_id: required(id<MessageId>(), 'The message.'),
    allow_empty_topic_name: defaulted(boolean(), false, 'Whether the empty topic is sent as empty.'),
  },
  reply: {
    message_history: { schema: arrayOf(HISTORY_SNAPSHOT), description: 'The snapshots, the oldest first.' },
  },
  errors: ['MESSAGE_UNKNOWN', 'MESSAGE_HISTORY_DISABLED'],
  events: [],
  async run({ params, user, services, fail }) {
    const { state } = services
    if (state.settings.editHistoryVisibility === 'none') throw fail('MESSAGE_HISTORY_DISABLED')
    const found = await findMessage(params.message_id, user, services)
    if (!found) throw fail('MESSAGE_UNKNOWN')
    const { message } = found
    const isMovesOnly = state.settings.editHistoryVisibility !== 'all'
    const versions = listVersions(message, user, state, isMovesOnly)
    const diffs = await findDiffs(services, message.id, versions, user.id).catch((error: unknown) => {
      throw error instanceof DiffOverloadError ? fail('OVERLOADED') : error
    })
    const showsEmptyTopic = params.allow_empty_topic_name || message.destination.kind === 'direct'
    const showTopic = (topic: string) => (showsEmptyTopic ? topic : topicDisplayName(topic))
    return {
      message_history: EncodedField.list(
        versions.map((version) => encodeVersion(version, diffs.get(version.editId as EventId), showTopic)),
      ),
    }
  },
})

/** The changes of each edit of the content: cached, or computed now and cached. */
async function findDiffs(
  { sql, differ, onError }: Services,
  id: MessageId,
  versions: readonly Version[],
  userId: UserId,
): Promise<ReadonlyMap<EventId, JsonPiece>> {
  const edited = versions.flatMap(({ editId, previousContent, rendered }) =>
    editId !== undefined && previousContent
      ? [{ editId, previous: previousContent.rendered, now: rendered }]
      : [],
  )
  if (edited.length === 0) return new Map()
  const diffs = new Map<EventId, JsonPiece>(await readDiffs(sql, id))
  const missing = edited.filter(({ editId }) => !diffs.has(editId))
  if (missing.length === 0) return diffs
  const found = await differ.diff(
    missing.map(({ previous, now }) => ({ previous, now })),
    userId,
  )
  const compared = new Map<EventId, string>()
  for (const [index, { encoded, isCompared }] of found.entries()) {
    const { editId } = missing[index] as (typeof missing)[number]
    diffs.set(editId, encoded)
    if (isCompared) compared.set(editId, Buffer.from(encoded.buffer).toString('utf8'))
  }
  // No client waits for this: only the next reader profits.
  if (compared.size > 0) void storeDiffs(sql, id, compared).catch(onError)
  return diffs
}

/** Edits a message, and moves it with others of its topic; starts again if its data became stale. */

import { findFlagHolders } from '../../../db/unread/flag-holders.ts'
import { type MovedMessage, type MovePlan, planMove } from '../../../db/messages/message-moves.ts'
import { findUnlinked, findUploadsOf } from '../../../db/files/message-uploads.ts'
import { StaleMessageError } from '../../../db/messages/stale-message.ts'
import { hasTopic } from '../../../db/messages/topics.ts'
import type { LinkedUpload } from '../../../db/files/uploads.ts'
import {
  type AskedUpdate,
  checkContentEdit,
  checkMove,
  readUpdate,
  type UPDATE_ERRORS,
  type WantedUpdate,
} from '../../decisions/messages/check-update.ts'
import type { ComposedMessage } from '../../decisions/messages/composed-message.ts'
import { needsKnownTopic } from '../../decisions/messages/channel-target.ts'
import { decideUpdate, type UpdateRequest } from '../../decisions/messages/update-message.ts'
import { topicReaderOf } from '../../decisions/topics/find-topic-reader.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { Destination, Message, User } from '../../domain/entities.ts'
import type { MessageId } from '../../domain/ids.ts'
import { MESSAGES_MOVED_MAX, MESSAGES_MOVED_PER_CHANGE_MAX } from '../../domain/limits.ts'
import { UPLOADS_BASE } from '../../domain/files/uploads.ts'
import type { Fail } from '../../errors/api-error.ts'
import type { Sending } from '../sending.ts'
import { submit } from '../submit.ts'
import { readSeenUploads, type SeenUploads, notifyChanged } from '../uploads/notify-uploads.ts'
import { composeMessage } from './compose-message.ts'
import { withKnownPreviews } from './known-previews.ts'
import { findMessage, findOpenMessage, readReceiversOfClosed } from './find-message.ts'

type InChannel = Extract<Destination, { kind: 'channel' }>
type WantedMove = NonNullable<WantedUpdate['move']>

/** The user who changes a message, and the failures. */
interface Editor {
  readonly user: User
  readonly fail: Fail<(typeof UPDATE_ERRORS)[number]>
}

/** A message, and the change of the request. */
export interface AskedChange extends AskedUpdate {
  readonly messageId: MessageId
}

/** The result, for notices. */
export interface Updated {
  readonly message: Message
  readonly move: (MovePlan & WantedMove) | undefined
  /** Files of the user who changed it that no message links after the change. */
  readonly detached: readonly LinkedUpload[]
}

/** Commits the request, a long move in several parts. */
export async function updateMessage(services: Sending, editor: Editor, asked: AskedChange): Promise<Updated> {
  const { user } = editor
  const { turns } = services.committer
  const ahead: MovedMessage[] = []
  const prepared = await turns.change(`message ${asked.messageId}`, StaleMessageError, async () => {
    for (;;) {
      const decided = await prepare(services, editor, asked)
      await submit(services, user.id, decideUpdate, decided)
      if (isLastPart(decided.plan)) return decided
      ahead.push(...(decided.plan?.part ?? []))
    }
  })
  const { found, wanted, plan, uploads } = prepared
  if (uploads.size > 0) await notifyChanged(uploads, services)
  return {
    message: found.message,
    move: wanted.move && plan && { ...plan, ...wanted.move, messages: [...ahead, ...plan.messages] },
    detached: uploads.size > 0 ? await findDetached(uploads, user, services) : NOTHING,
  }
}

/** Whether nothing is left to move after this change. */
function isLastPart(plan: MovePlan | undefined): boolean {
  return !plan || plan.part.length === plan.messages.length
}

/** The request, and the files that the message links before and after, as they are before. */
interface PreparedUpdate extends UpdateRequest {
  readonly uploads: SeenUploads
}

/** Loads the data that the decision needs; throws a `StaleMessageError` if it became stale. */
async function prepare(
  services: Sending,
  { user, fail }: Editor,
  { messageId, ...asked }: AskedChange,
): Promise<PreparedUpdate> {
  const { sql, state, clock } = services
  const scope = { state, caller: user, now: nowSeconds(clock), fail }
  const found = await findOpenMessage(services, scope, messageId)
  const { message } = found
  const { destination } = message
  const wanted = readUpdate(scope, asked, message)
  const { content, move } = wanted
  if (content !== undefined) checkContentEdit(scope, message)
  let isTopicKnown = true
  if (move) {
    checkMove(scope, { message, wanted: move, plan: undefined, isTopicKnown })
    const needsKnown = needsKnownTopic(scope, state.getChannel(move.channelId))
    isTopicKnown = !needsKnown || (await hasTopic(sql, move.channelId, move.topic))
  }
  const plan =
    move && destination.kind === 'channel'
      ? await planFor(services, user, { message, from: destination, move })
      : undefined
  if (plan === 'too_many') throw fail('TOO_MANY_MESSAGES_MOVED', { countMax: MESSAGES_MOVED_MAX })
  if (move) {
    if (!plan) throw new StaleMessageError()
    checkMove(scope, { message, wanted: move, plan, isTopicKnown })
  }
  const isLast = isLastPart(plan)
  const headId = (isLast ? undefined : plan?.part[0]?.id) ?? messageId
  const head = isLast ? found : await findMessage(headId, user, services)
  if (!head) throw new StaleMessageError()
  const audience =
    destination.kind === 'direct' ? destination : { ...destination, topic: move?.topic ?? destination.topic }
  const composed =
    content === undefined || !isLast
      ? undefined
      : await withKnownPreviews(await composeMessage(content, user, audience, services), {
          sql,
          state: services.state,
          channelId: audience.kind === 'channel' ? audience.channelId : null,
        })
  return {
    found,
    head,
    wanted,
    composed,
    uploads: await uploadsBefore(message, composed, services),
    plan,
    isTopicKnown,
    holders: await findFlagHolders(sql, headId),
    receiverIds: await readReceiversOfClosed(services, { id: headId, destination }),
  }
}

/** The files that a message links before and after, as they are before. */
async function uploadsBefore(
  { id, content }: Message,
  composed: ComposedMessage | undefined,
  services: Sending,
): Promise<SeenUploads> {
  if (!composed) return new Map()
  const linked = content.includes(UPLOADS_BASE) ? await findUploadsOf(services.sql, [id]) : []
  return readSeenUploads([...new Set([...linked.map((one) => one.id), ...composed.uploadIds])], services)
}

async function findDetached(
  uploads: SeenUploads,
  user: User,
  { sql }: Sending,
): Promise<readonly LinkedUpload[]> {
  const own = [...uploads.values()].filter(({ ownerId }) => ownerId === user.id)
  const unlinked = await findUnlinked(
    sql,
    own.map(({ id }) => id),
  )
  return own.filter(({ id }) => unlinked.includes(id)).map((upload) => ({ ...upload, messages: [] }))
}

const NOTHING: readonly LinkedUpload[] = []

interface AskedMove {
  readonly message: Message
  readonly from: InChannel
  readonly move: WantedMove
}

function planFor(
  { sql, state }: Sending,
  user: User,
  { message, from: { channelId, topic }, move }: AskedMove,
): Promise<MovePlan | 'too_many' | undefined> {
  const reader = topicReaderOf({ state, caller: user }, channelId)
  if (!reader) throw new StaleMessageError() // The user could read it a moment ago.
  const toChannelId = move.channelId === channelId ? undefined : move.channelId
  const wanted = { messageId: message.id, topic, newTopic: move.topic, mode: move.mode, toChannelId }
  return planMove(sql, reader, wanted, {
    countMax: MESSAGES_MOVED_MAX,
    perChangeMax: MESSAGES_MOVED_PER_CHANGE_MAX,
  })
}

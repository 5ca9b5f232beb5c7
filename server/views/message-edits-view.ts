/** The edits of a message that readers see with it. */

import type { Message, MessageEdit } from '../domain/entities.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import type { OrganizationSettings } from '../domain/organization/organization-settings.ts'
import { topicDisplayName } from '../../packages/rules/topics.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { VISITOR_ID } from '../domain/users/visitor.ts'
import { INTEGER, orNull, record, STRING, type ValueOf } from '../domain/json-schema.ts'

/** An edit or a move of a message; only changed fields are present. */
export const MESSAGE_EDIT = record(
  { user_id: orNull(INTEGER), timestamp: INTEGER },
  {
    prev_content: STRING,
    prev_rendered_content: STRING,
    prev_topic: STRING,
    topic: STRING,
    prev_stream: INTEGER,
    stream: INTEGER,
  },
)

type Visibility = OrganizationSettings['editHistoryVisibility']

/** The viewer's properties that decide which edits are visible. */
interface EditsViewer {
  readonly allowEmptyTopic: boolean
  readonly isGuest?: boolean
  readonly viewerId?: UserId
}

/**
 * The fields about edits as JSON text, each after a comma; empty for an unchanged message. Visitors see that a message
 * was changed, but none of its former texts and places: they may be from before it was public.
 */
export function encodeEdits(message: Message, state: OrganizationState, viewer: EditsViewer): string {
  const { editedAt, movedAt } = message
  if (editedAt === null && movedAt === null) return ''
  const visibility = viewer.viewerId === VISITOR_ID ? 'none' : state.settings.editHistoryVisibility
  const history = historyOf(visibleEdits(message, state, viewer), visibility)
  return (
    (editedAt === null ? '' : `,"last_edit_timestamp":${editedAt}`) +
    (movedAt === null || movedAt === 0 ? '' : `,"last_moved_timestamp":${movedAt}`) +
    (history.length === 0
      ? ''
      : `,"edit_history":${JSON.stringify(history.map((edit) => viewEdit(edit, viewer.allowEmptyTopic)))}`)
  )
}

/**
 * The edits without moves from, to and within channels that some readers of the message may not see. These are private
 * channels and, for guests, all but web-public ones. The current channel is visible.
 */
function visibleEdits(
  { destination, edits }: Message,
  state: OrganizationState,
  { isGuest = false }: EditsViewer,
): readonly MessageEdit[] {
  if (destination.kind === 'direct' || !edits.some(({ channelId }) => channelId)) return edits
  const isKnown = (id: ChannelId) => {
    const channel = state.channels.get(id)?.channel
    return id === destination.channelId || (isGuest ? channel?.isWebPublic : channel?.isPrivate === false)
  }
  let { channelId } = destination
  return edits.map((edit) => {
    const after = channelId
    channelId = edit.channelId?.previous ?? channelId
    if (isKnown(after) && isKnown(channelId)) return edit
    const { topic: _, channelId: __, ...rest } = edit
    return rest
  })
}

function historyOf(edits: readonly MessageEdit[], visibility: Visibility): readonly MessageEdit[] {
  if (visibility === 'none') return []
  if (visibility === 'all')
    return edits.filter(({ content, topic, channelId }) => content || topic || channelId)
  return edits
    .filter(({ topic, channelId }) => topic || channelId)
    .map((edit) => {
      const { content: _, ...moved } = edit
      return moved
    })
}

function viewEdit(
  { userId, editedAt, content, topic, channelId }: MessageEdit,
  allowEmptyTopic: boolean,
): ValueOf<typeof MESSAGE_EDIT> {
  const shown = (name: string) => (allowEmptyTopic ? name : topicDisplayName(name))
  return {
    user_id: userId,
    timestamp: editedAt,
    ...(content ? { prev_content: content.previous, prev_rendered_content: content.previousRendered } : {}),
    ...(topic ? { prev_topic: shown(topic.previous), topic: shown(topic.now) } : {}),
    ...(channelId ? { prev_stream: channelId.previous, stream: channelId.now } : {}),
  }
}

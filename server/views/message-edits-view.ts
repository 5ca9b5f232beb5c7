/** What of a message's edits is shown with it. */

import type { Message, MessageEdit } from '../domain/entities.ts'
import type { OrganizationSettings } from '../domain/organization-settings.ts'
import { topicDisplayName } from '../domain/topics.ts'

type Visibility = OrganizationSettings['editHistoryVisibility']

/** The fields about edits as JSON text, each after a comma; nothing of a message that is as it was sent. */
export function encodeEdits(message: Message, visibility: Visibility, allowEmptyTopic: boolean): string {
  const { editedAt, movedAt } = message
  if (editedAt === null && movedAt === null) return ''
  const history = historyOf(message.edits, visibility).map((edit) => viewEdit(edit, allowEmptyTopic))
  return (
    (editedAt === null ? '' : `,"last_edit_timestamp":${editedAt}`) +
    (movedAt === null || movedAt === 0 ? '' : `,"last_moved_timestamp":${movedAt}`) +
    (history.length === 0 ? '' : `,"edit_history":${JSON.stringify(history)}`)
  )
}

function historyOf(edits: readonly MessageEdit[], visibility: Visibility): readonly MessageEdit[] {
  if (visibility === 'none') return []
  if (visibility === 'all') return edits
  return edits
    .filter(({ topic, channelId }) => topic || channelId)
    .map((edit) => {
      const { content: _, ...moved } = edit
      return moved
    })
}

function viewEdit({ userId, editedAt, content, topic, channelId }: MessageEdit, allowEmptyTopic: boolean) {
  const shown = (name: string) => (allowEmptyTopic ? name : topicDisplayName(name))
  return {
    user_id: userId,
    timestamp: editedAt,
    ...(content ? { prev_content: content.previous, prev_rendered_content: content.previousRendered } : {}),
    ...(topic ? { prev_topic: shown(topic.previous), topic: shown(topic.now) } : {}),
    ...(channelId ? { prev_stream: channelId.previous, stream: channelId.now } : {}),
  }
}

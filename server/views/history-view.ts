/** The versions of a message, as one reader may see them. */

import type { Message, User } from '../domain/entities.ts'
import type { ChannelId, EventId, UserId } from '../domain/ids.ts'
import { canReadChannel, canSeeChannel } from '../../packages/rules/channels.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { JsonPiece } from './json-pieces.ts'
import { INTEGER, orNull, record, STRING } from '../domain/json-schema.ts'

/** A message as it was sent, or after an edit; parts that the edit left alone have no previous value. */
export interface Version {
  /** The event of the edit; undefined for the original message. */
  readonly editId: EventId | undefined
  readonly userId: UserId | null
  readonly at: number
  readonly topic: string
  readonly previousTopic: string | undefined
  readonly channelId: ChannelId | undefined
  readonly previousChannelId: ChannelId | undefined
  readonly content: string
  readonly rendered: string
  readonly previousContent: { readonly content: string; readonly rendered: string } | undefined
}

/**
 * The versions of a message, oldest first. If the reader may not see a channel or read a topic, the version shows the
 * next visible one instead; an edit without visible changes is omitted. With `isMovesOnly` edits of the content are
 * hidden the same way: all versions have the current content.
 */
export function listVersions(
  { destination, content, rendered, sentAt, senderId, edits }: Message,
  reader: User,
  state: OrganizationState,
  isMovesOnly: boolean,
): Version[] {
  const accessOf = (id: ChannelId | undefined) => (id === undefined ? undefined : state.channels.get(id))
  const canSee = (id: ChannelId) => {
    const access = accessOf(id)
    return access !== undefined && canSeeChannel(reader, access, state.rights)
  }
  const canReadTopic = (id: ChannelId | undefined) => {
    const access = accessOf(id)
    return access !== undefined && canReadChannel(reader, access, state.rights)
  }

  const versions: Version[] = []
  let channelId = destination.kind === 'channel' ? destination.channelId : undefined
  let topic = destination.kind === 'channel' ? destination.topic : ''
  let shown = { channelId, topic, content, rendered }
  for (const edit of edits) {
    const after = shown
    channelId = edit.channelId?.previous ?? channelId
    topic = edit.topic?.previous ?? topic
    const isContentShown = edit.content !== undefined && !isMovesOnly
    shown = {
      channelId: channelId !== undefined && canSee(channelId) ? channelId : after.channelId,
      topic: canReadTopic(channelId) ? topic : after.topic,
      content: isContentShown ? edit.content.previous : after.content,
      rendered: isContentShown ? edit.content.previousRendered : after.rendered,
    }
    const isMoved = shown.channelId !== after.channelId
    const isRenamed = shown.topic !== after.topic
    if (!isMoved && !isRenamed && !isContentShown) continue
    versions.push({
      editId: edit.id,
      userId: edit.userId ?? null,
      at: edit.editedAt,
      topic: after.topic,
      previousTopic: isRenamed ? shown.topic : undefined,
      channelId: isMoved ? after.channelId : undefined,
      previousChannelId: isMoved ? shown.channelId : undefined,
      content: after.content,
      rendered: after.rendered,
      previousContent: isContentShown ? { content: shown.content, rendered: shown.rendered } : undefined,
    })
  }
  versions.push({
    editId: undefined,
    userId: senderId,
    at: sentAt,
    topic: shown.topic,
    previousTopic: undefined,
    channelId: undefined,
    previousChannelId: undefined,
    content: shown.content,
    rendered: shown.rendered,
    previousContent: undefined,
  })
  return versions.reverse()
}

/** Schema of `encodeVersion`. */
export const HISTORY_SNAPSHOT = record(
  { topic: STRING, content: STRING, rendered_content: STRING, user_id: orNull(INTEGER), timestamp: INTEGER },
  {
    prev_topic: STRING,
    stream: INTEGER,
    prev_stream: INTEGER,
    prev_content: STRING,
    prev_rendered_content: STRING,
    content_html_diff: STRING,
  },
)

/** A version as JSON; `diff` is the JSON of the content's changes, if any. */
export function encodeVersion(
  version: Version,
  diff: JsonPiece | undefined,
  showTopic: (topic: string) => string,
): JsonPiece[] {
  const { previousTopic, previousContent, channelId, previousChannelId } = version
  const fields = JSON.stringify({
    topic: showTopic(version.topic),
    ...(previousTopic === undefined ? {} : { prev_topic: showTopic(previousTopic) }),
    ...(channelId === undefined ? {} : { stream: channelId, prev_stream: previousChannelId }),
    content: version.content,
    rendered_content: version.rendered,
    ...(previousContent
      ? { prev_content: previousContent.content, prev_rendered_content: previousContent.rendered }
      : {}),
    user_id: version.userId,
    timestamp: version.at,
  })
  return diff === undefined ? [fields] : [`${fields.slice(0, -1)},"content_html_diff":`, diff, '}']
}

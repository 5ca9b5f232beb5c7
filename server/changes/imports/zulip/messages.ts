/** Reads one message of Zulip. */

import { findOpening } from '../../../domain/messages/widgets.ts'
import { describe, type Fields, toFields, toList, toPositive, toText } from '../fields.ts'
import type { ForeignEdit, ForeignMessage } from '../records.ts'
import type { ReadMessage } from '../sorted-messages.ts'
import type { Place } from './recipients.ts'
import { idOf, parseField } from './rows.ts'

/** The rows of other tables that belong to messages. */
export interface MessageRows {
  readonly place: Place | undefined
  readonly of: (id: string) => Pick<ForeignMessage, 'reactions' | 'starredBy' | 'collapsedBy'>
}

export function readZulipMessage(fields: Fields, { place, of }: MessageRows): ReadMessage {
  const key = idOf(fields['id'])
  const example = key ?? describe(fields)
  const [at, sender] = [toPositive(fields['date_sent']), idOf(fields['sender'])]
  if (key === undefined) return { left: 'a message without an id', example }
  if (at === undefined) return { left: 'a message without a valid time', example }
  if (sender === undefined) return { left: 'a message without a sender', example }
  if (!place) return { left: 'a message without a recipient', example }
  const editedAt = toPositive(fields['last_edit_time'])
  const text = toText(fields['content'])
  const opening = findOpening(text)
  const edits = readEdits(fields)
  const message: ForeignMessage = {
    key,
    place: place.id,
    sender,
    senderName: undefined,
    isSenderBot: false,
    sentAt: Math.floor(at),
    text,
    editedAt: editedAt === undefined ? null : Math.floor(editedAt),
    thread: undefined,
    topic: place.isChannel ? toText(fields['subject']) : '',
    isBroadcast: false,
    edits,
    movedAt: movedAt(fields, edits),
    files: [],
    isPinned: false,
    ...of(key),
    ...(opening === undefined ? {} : { opening }),
  }
  return { at, message }
}

/** The newest first, so that each says what was before the later ones. A broken history is left out: the message is whole. */
function readEdits(message: Fields): ForeignEdit[] {
  let topic = toText(message['subject'])
  return toList(parseField(message['edit_history'])).flatMap((one): ForeignEdit[] => {
    const fields = toFields(one)
    const editedAt = toPositive(fields['timestamp'])
    if (editedAt === undefined) return []
    const { prev_content: content, prev_topic: before } = fields
    const moved = typeof before === 'string' ? { previous: toText(before), now: topic } : undefined
    const [from, to] = [idOf(fields['prev_stream']), idOf(fields['stream'])]
    const left = from !== undefined && to !== undefined ? { previous: from, now: to } : undefined
    topic = moved?.previous ?? topic
    const text = typeof content === 'string' ? toText(content) : undefined
    if (text === undefined && !moved && !left) return []
    return [
      { user: idOf(fields['user_id']), editedAt: Math.floor(editedAt), text, topic: moved, channel: left },
    ]
  })
}

/** When it last moved to another topic or channel; versions that do not say it have it in the edits. */
function movedAt(message: Fields, edits: readonly ForeignEdit[]): number | null {
  const moved = toPositive(message['last_moved_time'])
  const last = edits.find(({ topic, channel }) => topic ?? channel)
  return moved === undefined ? (last?.editedAt ?? null) : Math.floor(moved)
}

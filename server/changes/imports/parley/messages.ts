/** Messages of an export of this server's kind. */

import { type Fields, toFields, toList, toPositive, toText } from '../fields.ts'
import type {
  ForeignConversation,
  ForeignEdit,
  ForeignMessage,
  ForeignReaction,
  ForeignSubmessage,
} from '../records.ts'

/** A message that cannot come over. */
interface Left {
  readonly left: string
  readonly example: string
}

/** The conversation of a direct message; undefined for a message in a channel. */
export function directPlace(fields: Fields): ForeignConversation | undefined {
  const members = toList(fields['user_ids']).map(String)
  if (members.length === 0) return undefined
  const id = `direct: ${members.join(', ')}`
  return { id, label: id, members }
}

/** A message. */
export function readParleyMessage(fields: Fields): ForeignMessage | Left {
  const key = String(fields['id'])
  const sentAt = toPositive(fields['sent_at'])
  if (toPositive(fields['id']) === undefined) return { left: 'a message without an id', example: key }
  if (sentAt === undefined) return { left: 'a message without a time', example: key }
  if (toPositive(fields['sender_id']) === undefined)
    return { left: 'a message without a sender', example: key }
  const direct = directPlace(fields)
  return {
    key,
    place: direct?.id ?? String(fields['channel_id']),
    sender: String(fields['sender_id']),
    senderName: undefined,
    isSenderBot: false,
    sentAt: Math.floor(sentAt),
    text: toText(fields['content']),
    editedAt: secondsOf(fields['edited_at']),
    thread: undefined,
    topic: direct === undefined ? toText(fields['topic']) : '',
    isBroadcast: false,
    reactions: readReactions(fields),
    edits: readEdits(fields),
    movedAt: secondsOf(fields['moved_at']),
    ...readSubmessages(fields),
    files: [],
    isPinned: false, // The channel has its pins.
  }
}

/** The newest first, so that each says what was before the later ones. */
function readEdits(message: Fields): ForeignEdit[] {
  let topic = toText(message['topic'])
  let channel = String(message['channel_id'])
  return toList(message['edits']).flatMap((one): ForeignEdit[] => {
    const fields = toFields(one)
    const editedAt = secondsOf(fields['edited_at'])
    if (editedAt === null) return []
    const { previous_content: content, previous_topic: before, previous_channel_id: from } = fields
    const moved = typeof before === 'string' ? { previous: toText(before), now: topic } : undefined
    const left = typeof from === 'number' ? { previous: String(from), now: channel } : undefined
    topic = moved?.previous ?? topic
    channel = left?.previous ?? channel
    const text = typeof content === 'string' ? toText(content) : undefined
    if (text === undefined && !moved && !left) return []
    const user = typeof fields['user_id'] === 'number' ? String(fields['user_id']) : undefined
    return [{ user, editedAt, text, topic: moved, channel: left }]
  })
}

/** The first one opens the poll or the list, if it came with the message. */
function readSubmessages(message: Fields): Pick<ForeignMessage, 'opening' | 'submessages'> {
  const all = toList(message['submessages']).map(toFields)
  const [first] = all
  const isOpening = first !== undefined && first['id'] === message['id']
  const submessages = all
    .slice(isOpening ? 1 : 0)
    .map((one): ForeignSubmessage => ({ user: String(one['sender_id']), content: toText(one['content']) }))
  return {
    ...(isOpening ? { opening: toText(first['content']) } : {}),
    ...(submessages.length > 0 ? { submessages } : {}),
  }
}

function readReactions(fields: Fields): ForeignReaction[] {
  const found = new Map<string, { name: string; code: string; type: string; users: string[] }>()
  for (const one of toList(fields['reactions'])) {
    const reaction = toFields(one)
    const name = toText(reaction['emoji_name'])
    const [code, type] = [toText(reaction['emoji_code']), toText(reaction['reaction_type'])]
    const key = JSON.stringify([type, type === 'realm_emoji' ? name : code])
    const known = found.get(key) ?? { name, code, type, users: [] }
    known.users.push(String(reaction['user_id']))
    found.set(key, known)
  }
  return [...found.values()].map(({ name, code, type, users }) => ({ name, users, own: { code, type } }))
}

function secondsOf(value: unknown): number | null {
  const seconds = toPositive(value)
  return seconds === undefined ? null : Math.floor(seconds)
}

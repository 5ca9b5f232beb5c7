/** Messages of an export of this server's kind. */

import { type Fields, toFields, toList, toPositive, toText } from '../fields.ts'
import type { ForeignConversation, ForeignEdit, ForeignMessage, ForeignReaction } from '../records.ts'

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

/** A message; `pinned` has the ids of pinned ones. */
export function readParleyMessage(fields: Fields, pinned: ReadonlySet<string>): ForeignMessage | Left {
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
    edits: toList(fields['edits']).flatMap((one) => readEdit(toFields(one))),
    files: [],
    isPinned: pinned.has(key),
  }
}

/** Only texts: earlier topics and channels were those of another server. */
function readEdit(fields: Fields): ForeignEdit[] {
  const editedAt = secondsOf(fields['edited_at'])
  if (editedAt === null || typeof fields['previous_content'] !== 'string') return []
  const user = typeof fields['user_id'] === 'number' ? String(fields['user_id']) : undefined
  return [{ user, editedAt, text: toText(fields['previous_content']) }]
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

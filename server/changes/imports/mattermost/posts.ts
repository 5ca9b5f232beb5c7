/** Reads one post of Mattermost's export, with its replies. */

import {
  type Fields,
  firstText,
  plainAddress,
  toFields,
  toList,
  toPositive,
  toText,
  toTexts,
} from '../fields.ts'
import type { ForeignFile, ForeignMessage, ForeignReaction } from '../records.ts'
import type { ReadMessage } from '../sorted-messages.ts'

const MS = 1_000

/** The post and its replies; a post with replies begins a thread. */
export function readPost(fields: Fields, place: string): ReadMessage[] {
  const replies = toList(fields['replies']).map(toFields)
  const key = keyOf(fields)
  const thread = replies.length > 0 ? key : undefined
  return [readOne(fields, place, thread), ...replies.map((reply) => readOne(reply, place, thread))]
}

/** Exports have no ids: a time in milliseconds and its author identify a post. */
const keyOf = (fields: Fields) => `${String(fields['create_at'])}/${toText(fields['user'])}`

function readOne(fields: Fields, place: string, thread: string | undefined): ReadMessage {
  const example = keyOf(fields)
  const type = toText(fields['type'])
  if (type.startsWith('system_')) return { left: `a notice of Mattermost (${type})`, example, place }
  const at = toPositive(fields['create_at'])
  if (at === undefined) return { left: 'a message without a valid time', example, place }
  const user = toText(fields['user'])
  if (user === '') return { left: 'a message without a sender', example, place }
  const props = readProps(fields['props'])
  const text = readText(fields, props, type)
  const files = readFiles(fields)
  if (text === '' && files.length === 0) return { left: 'an empty message', example, place }
  const botName = toText(props['override_username'])
  const isHook = props['from_webhook'] === 'true' && botName !== ''
  const message: ForeignMessage = {
    key: example,
    place,
    // The name that an incoming webhook chose is a sender of its own.
    sender: isHook ? `bot/${botName}` : user,
    senderName: isHook ? botName : undefined,
    isSenderBot: isHook,
    sentAt: Math.floor(at / MS),
    text,
    editedAt: Math.floor((toPositive(fields['edit_at']) ?? 0) / MS) || null,
    thread,
    isBroadcast: false,
    reactions: readReactions(fields),
    files,
    isPinned: fields['is_pinned'] === true,
    starredBy: toTexts(fields['flagged_by']),
  }
  return { at, message }
}

/** An object, in some exports as JSON text. */
function readProps(given: unknown): Fields {
  if (typeof given !== 'string') return toFields(given)
  try {
    return toFields(JSON.parse(given))
  } catch {
    return {} // The post itself is whole without them.
  }
}

function readText(fields: Fields, props: Fields, type: string): string {
  const text = toText(fields['message'])
  const attached = toList(props['attachments']).map((one) => readAttachment(toFields(one)))
  return [type === 'me' ? `/me ${text}` : text, ...attached].filter((part) => part.trim() !== '').join('\n\n')
}

/** Slack's form of attachments, whose texts are Mattermost's Markdown here. */
function readAttachment(fields: Fields): string {
  const title = firstText(fields['title'])
  const url = plainAddress(fields['title_link'])
  const lines = [
    firstText(fields['pretext']),
    firstText(fields['author_name']),
    title === ''
      ? ''
      : url === undefined
        ? `**${title}**`
        : `**[${title.replaceAll(/[[\]]/g, ' ')}](${url})**`,
    firstText(fields['text']),
    ...toList(fields['fields']).map((one) => {
      const { title: name, value } = toFields(one)
      const words = typeof value === 'number' ? String(value) : toText(value)
      return [toText(name) && `**${toText(name)}**`, words].filter(Boolean).join(': ')
    }),
  ].filter((line) => line.trim() !== '')
  return lines.length > 0 ? lines.join('\n') : firstText(fields['fallback'])
}

function readReactions(fields: Fields): ForeignReaction[] {
  const byName = new Map<string, string[]>()
  for (const one of toList(fields['reactions'])) {
    const { emoji_name: name, user } = toFields(one)
    if (toText(name) === '') continue
    const users = byName.get(toText(name))
    if (users) users.push(toText(user))
    else byName.set(toText(name), [toText(user)])
  }
  return [...byName].map(([name, users]) => ({ name, users }))
}

function readFiles(fields: Fields): ForeignFile[] {
  return toList(fields['attachments']).map((one) => {
    const path = toText(toFields(one)['path'])
    return { name: path.slice(path.lastIndexOf('/') + 1) || 'file', url: undefined, path: path || undefined }
  })
}

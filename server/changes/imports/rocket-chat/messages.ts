/** Reads one message of Rocket.Chat. */

import { type Fields, firstText, plainAddress, toFields, toList, toText, toTexts } from '../fields.ts'
import type { ForeignFile, ForeignMessage, ForeignReaction } from '../records.ts'
import type { ReadMessage } from '../sorted-messages.ts'

/** Finds people by their names in the product. */
type IdOf = (username: string) => string | undefined

export function readRocketMessage(fields: Fields, idOf: IdOf): ReadMessage {
  const id = toText(fields['_id'])
  const type = toText(fields['t'])
  if (fields['_hidden'] === true) return { left: 'an earlier text of a message', example: id }
  if (type === 'rm') return { left: 'a deleted message', example: id }
  if (type === 'e2e') return { left: 'an encrypted message', example: id }
  if (type !== '') return { left: `a notice of Rocket.Chat (${type})`, example: id }
  const at = timeOf(fields['ts'])
  if (id === '' || at === undefined) return { left: 'a message without a valid time', example: id }
  const user = toFields(fields['u'])
  const sender = firstText(user['_id'], user['username'])
  if (sender === '') return { left: 'a message without a sender', example: id }
  const files = readFiles(fields)
  const text = readText(fields)
  if (text === '' && files.length === 0) return { left: 'an empty message', example: id }
  const alias = toText(fields['alias'])
  const isHook = alias !== '' && typeof fields['bot'] === 'object' && fields['bot'] !== null
  const editedAt = timeOf(fields['editedAt'])
  const isRoot = Number(fields['tcount'] ?? 0) > 0
  const thread = toText(fields['tmid']) || (isRoot ? id : '')
  const message: ForeignMessage = {
    key: id,
    place: toText(fields['rid']),
    // The name that an incoming webhook chose is a sender of its own.
    sender: isHook ? `bot/${alias}` : sender,
    senderName: isHook ? alias : firstText(user['name'], user['username']) || undefined,
    isSenderBot: isHook,
    sentAt: Math.floor(at / 1_000),
    text,
    editedAt: editedAt === undefined ? null : Math.floor(editedAt / 1_000),
    thread: thread === '' ? undefined : thread,
    isBroadcast: fields['tshow'] === true && toText(fields['tmid']) !== '',
    reactions: readReactions(toFields(fields['reactions']), idOf),
    files,
    isPinned: fields['pinned'] === true,
    starredBy: toList(fields['starred']).flatMap((one) => toText(toFields(one)['_id']) || []),
  }
  return { at, message }
}

/** Milliseconds. */
export function timeOf(value: unknown): number | undefined {
  if (!(value instanceof Date)) return undefined
  const at = value.getTime()
  return Number.isFinite(at) && at > 0 ? at : undefined
}

/** The name of an upload in `open`. */
const uploadName = (id: string) => `upload/${id}`

function readText(fields: Fields): string {
  const attachments = toList(fields['attachments']).map(toFields)
  const quotes = attachments.filter((one) => toText(one['message_link']) !== '').map(readQuote)
  const others = attachments.filter((one) => toText(one['message_link']) === '').map(readAttachment)
  // A quote begins with a link without words.
  const text = toText(fields['msg']).replaceAll(/^(?:\[\s*\]\([^)\s]*\)\s*)+/g, '')
  return [...quotes, text, ...others].filter((part) => part.trim() !== '').join('\n\n')
}

function readQuote(fields: Fields): string {
  const author = firstText(fields['author_name'])
  const text = firstText(fields['text'])
  if (text === '') return ''
  return `> ${author === '' ? '' : `@${author}: `}${text.replaceAll('\n', '\n> ')}`
}

/** Attachments of programs; a file says no more than its description. */
function readAttachment(fields: Fields): string {
  const isFile = toText(fields['type']) === 'file' || toText(fields['title_link']).startsWith('/file-upload/')
  if (isFile) return toText(fields['description'])
  const title = firstText(fields['title'])
  const url = plainAddress(fields['title_link'])
  const lines = [
    firstText(fields['pretext']),
    firstText(fields['author_name']),
    title === '' ? '' : url === undefined ? `*${title}*` : `[${title.replaceAll(/[[\]]/g, ' ')}](${url})`,
    firstText(fields['text']),
    ...toList(fields['fields']).map((one) => {
      const { title: name, value } = toFields(one)
      return [toText(name) && `*${toText(name)}*`, toText(value)].filter(Boolean).join(': ')
    }),
  ]
  return lines.filter((line) => line.trim() !== '').join('\n')
}

function readFiles(fields: Fields): ForeignFile[] {
  const files = toList(fields['files'])
  const given = files.length > 0 ? files : 'file' in fields ? [fields['file']] : []
  return given.flatMap((one): ForeignFile[] => {
    const file = toFields(one)
    const id = toText(file['_id'])
    // The server's own small form of a picture.
    if (id === '' || toText(file['name']).startsWith('thumb-')) return []
    return [{ name: firstText(file['name'], id), url: undefined, path: uploadName(id) }]
  })
}

function readReactions(fields: Fields, idOf: IdOf): ForeignReaction[] {
  return Object.entries(fields).map(([name, given]) => ({
    name: name.replaceAll(':', ''),
    users: toTexts(toFields(given)['usernames']).map((username) => idOf(username) ?? username),
  }))
}

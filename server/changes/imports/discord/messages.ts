/** Reads one message of DiscordChatExporter. */

import { findEmojiName } from '../../../../workers/pool/emoji/emoji-table.ts'
import {
  describe,
  type Fields,
  firstText,
  plainAddress,
  toFields,
  toList,
  toText,
  toTexts,
} from '../fields.ts'
import type { ForeignBytes, ForeignFile, ForeignMessage, ForeignReaction } from '../records.ts'
import type { ReadMessage } from '../sorted-messages.ts'

/**
 * Kinds of messages that people and programs wrote; the others say what happened to the channel. The exporter has no names
 * for answers to commands (20, 23), and writes Discord's numbers instead.
 */
const WRITTEN = new Set(['Default', 'Reply', 'ChatInputCommand', 'ContextMenuCommand', '20', '23', ''])

/** The surroundings of a message. */
interface Context {
  readonly place: string
  readonly topic: string
  /** The folder of its file, with a slash at the end, or empty. */
  readonly base: string
}

export function readDiscordMessage(fields: Fields, { place, topic, base }: Context): ReadMessage {
  const id = toText(fields['id'])
  const type = toText(fields['type'])
  if (id === '') return { left: 'a message without an id', example: describe(fields) }
  if (!WRITTEN.has(type)) return { left: `a notice of Discord (${type})`, example: id }
  const at = timeOf(fields['timestamp'])
  if (at === undefined) return { left: 'a message without a valid time', example: id }
  const author = toFields(fields['author'])
  if (toText(author['id']) === '') return { left: 'a message without a sender', example: id }
  const files = readFiles(fields, base)
  const text = readText(fields)
  if (text === '' && files.length === 0) return { left: 'an empty message', example: id }
  const editedAt = timeOf(fields['timestampEdited'])
  const message: ForeignMessage = {
    key: id,
    place,
    topic,
    sender: toText(author['id']),
    senderName: nameOf(author) || undefined,
    isSenderBot: author['isBot'] === true,
    sentAt: Math.floor(at / 1_000),
    text,
    editedAt: editedAt === undefined ? null : Math.floor(editedAt / 1_000),
    thread: undefined,
    isBroadcast: false,
    reactions: toList(fields['reactions']).flatMap((one) => readReaction(toFields(one))),
    files,
    isPinned: fields['isPinned'] === true,
  }
  return { at, message }
}

/** The name that others see. */
export const nameOf = (user: Fields) => firstText(user['nickname'], user['name'])

/** A picture or file: in the folder that the exporter wrote beside the file, or at an address. */
export function bytesOf(given: unknown, base: string): ForeignBytes {
  const text = toText(given)
  if (text === '') return {}
  if (plainAddress(text) !== undefined) return { address: text }
  try {
    return { path: base + decodeURIComponent(text.replaceAll('\\', '/')) }
  } catch {
    return { path: base + text } // A name with a percent sign of its own.
  }
}

/** A custom emoji; undefined for one of Unicode. */
export function customEmojiOf(emoji: Fields): string | undefined {
  return toText(emoji['id']) === '' ? undefined : toText(emoji['name']).toLowerCase()
}

/** Milliseconds. */
function timeOf(value: unknown): number | undefined {
  const at = Date.parse(toText(value))
  return Number.isFinite(at) && at > 0 ? at : undefined
}

function readText(fields: Fields): string {
  const forwarded = toText(toFields(fields['forwardedMessage'])['content'])
  const isBot = toFields(fields['author'])['isBot'] === true
  // The embeds of a person's message are only previews of its links.
  const embeds = isBot ? toList(fields['embeds']).map((one) => readEmbed(toFields(one))) : []
  const stickers = toList(fields['stickers']).map((one) => firstText(toFields(one)['name']))
  const parts = [
    withMentions(toText(fields['content']), toList(fields['mentions'])),
    forwarded === '' ? '' : `> ${forwarded.replaceAll('\n', '\n> ')}`,
    ...embeds,
    ...stickers.filter(Boolean).map((name) => `(sticker: ${name})`),
  ]
  return parts.filter((part) => part.trim() !== '').join('\n\n')
}

/** The exporter writes `@Name` for people, and only the list beside the text says who that is. */
function withMentions(text: string, mentions: readonly unknown[]): string {
  const people = mentions.map(toFields).filter((one) => toText(one['id']) !== '')
  const named = people.flatMap((one) =>
    toTexts([one['nickname'], one['name']]).map((name) => ({ name, id: toText(one['id']) })),
  )
  named.sort((one, other) => other.name.length - one.name.length)
  return named.reduce((result, { name, id }) => result.replaceAll(`@${name}`, `<@${id}>`), text)
}

function readEmbed(fields: Fields): string {
  const title = firstText(fields['title'])
  const url = plainAddress(fields['url'])
  const heading = title === '' || url === undefined ? title : `[${title.replaceAll(/[[\]]/g, ' ')}](${url})`
  return [
    firstText(toFields(fields['author'])['name']),
    heading === '' ? '' : `**${heading}**`,
    firstText(fields['description']),
    ...toList(fields['fields']).map((one) => {
      const { name, value } = toFields(one)
      return [toText(name) && `**${toText(name)}**`, toText(value)].filter(Boolean).join(': ')
    }),
  ]
    .filter((line) => line.trim() !== '')
    .join('\n')
}

function readReaction(fields: Fields): ForeignReaction[] {
  const emoji = toFields(fields['emoji'])
  const users = toList(fields['users']).flatMap((one) => toText(toFields(one)['id']) || [])
  const custom = customEmojiOf(emoji)
  if (custom !== undefined) return [{ name: custom, users }]
  const characters = toText(emoji['name'])
  if (characters === '') return []
  const code = Array.from(characters, (one) => one.codePointAt(0)?.toString(16).padStart(4, '0') ?? '')
    .filter((part) => part !== 'fe0f')
    .join('-')
  const plain = code.replace(/-1f3f[b-f]/, '')
  const tone =
    plain === code ? '' : `_tone${Number.parseInt(code.slice(code.indexOf('-1f3f') + 5)[0] ?? 'b', 16) - 10}`
  const name = findEmojiName(plain) ?? (toText(emoji['code']).replaceAll(/[^\p{L}\p{N}_+-]/gu, '') || 'emoji')
  return [{ name: `${name}${tone}`, users, own: { code, type: 'unicode_emoji' } }]
}

function readFiles(fields: Fields, base: string): ForeignFile[] {
  const forwarded = toList(toFields(fields['forwardedMessage'])['attachments'])
  return [...toList(fields['attachments']), ...forwarded].map((one) => {
    const file = toFields(one)
    const bytes = bytesOf(file['url'], base)
    return { name: firstText(file['fileName'], file['id'], 'file'), url: plainAddress(file['url']), ...bytes }
  })
}

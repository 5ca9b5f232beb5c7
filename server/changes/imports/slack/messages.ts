/** Reads one message of Slack's export. */

import {
  describe,
  type Fields,
  firstText,
  plainAddress,
  toFields,
  toList,
  toPositive,
  toText,
  toTexts,
} from '../fields.ts'
import type { ForeignMessage, ForeignReaction } from '../records.ts'
import { linkSlack, textOfBlocks } from './blocks.ts'
import { readFiles } from './files.ts'

/** Kinds of messages that people wrote; the others say what happened to the channel. */
const WRITTEN = new Set([
  '',
  'file_share',
  'thread_broadcast',
  'reply_broadcast',
  'bot_message',
  'me_message',
  'file_comment',
  'huddle_thread',
])

/** A message, or the reason why it does not come over. */
export type ReadMessage = ForeignMessage | { readonly left: string; readonly example: string }

/** The surroundings of a message. */
interface Context {
  readonly place: string
  readonly userOfBot: ReadonlyMap<string, string>
  /** The names of entries of the archive by the ids of its files. */
  readonly entryOfFile: ReadonlyMap<string, string>
  /** The times of messages that the channel's own list has as pinned. */
  readonly pins: ReadonlySet<string>
}

export function readSlackMessage(
  fields: Fields,
  { place, userOfBot, entryOfFile, pins }: Context,
): ReadMessage {
  const ts = toText(fields['ts'])
  const subtype = toText(fields['subtype'])
  const example = ts || describe(fields)
  const isBot =
    subtype === 'bot_message' || (toText(fields['bot_id']) !== '' && toText(fields['user']) === '')
  if (subtype === 'tombstone') return { left: 'a deleted message', example }
  if (!isBot && !WRITTEN.has(subtype)) return { left: `a notice of Slack (${subtype})`, example }
  const sentAt = toPositive(ts)
  if (sentAt === undefined) return { left: 'a message without a valid time', example }
  const sender = findSender(fields, isBot, userOfBot)
  if (sender === undefined) return { left: 'a message without a sender', example }
  const files = readFiles(fields, entryOfFile)
  const text = readText(fields, subtype)
  if (text === '' && files.length === 0) return { left: 'an empty message', example }
  const thread = toText(fields['thread_ts'])
  return {
    key: ts,
    place,
    ...sender,
    sentAt: Math.floor(sentAt),
    text,
    editedAt: Math.floor(toPositive(toFields(fields['edited'])['ts']) ?? 0) || null,
    thread: thread === '' ? undefined : thread,
    isBroadcast: subtype === 'thread_broadcast' || subtype === 'reply_broadcast',
    reactions: readReactions(fields),
    files,
    isPinned: toList(fields['pinned_to']).length > 0 || pins.has(ts),
  }
}

function findSender(fields: Fields, isBot: boolean, userOfBot: ReadonlyMap<string, string>) {
  const botId = toText(fields['bot_id'])
  const comment = toFields(fields['comment'])
  const user = firstText(fields['user'], isBot ? userOfBot.get(botId) : '', comment['user'])
  const profile = toFields(fields['user_profile'])
  const botName = firstText(fields['username'], toFields(fields['bot_profile'])['name'])
  if (user !== '') {
    const senderName = firstText(profile['real_name'], profile['display_name'], isBot ? botName : '')
    return { sender: user, senderName: senderName || undefined, isSenderBot: isBot }
  }
  if (botId === '' && botName === '') return undefined
  // Old exports have bots that are in no list, some only by their name.
  return { sender: `bot/${botId || botName}`, senderName: botName || undefined, isSenderBot: true }
}

/** The text of a message; without one, that of its blocks, and then what programs attached. */
function readText(fields: Fields, subtype: string): string {
  const text = firstText(fields['text'], textOfBlocks(toList(fields['blocks'])))
  const own = subtype === 'me_message' ? `/me ${text}` : text
  const attached = toList(fields['attachments']).map((one) => readAttachment(toFields(one)))
  const comment = text === '' ? toText(toFields(fields['comment'])['comment']) : ''
  return [own, comment, ...attached].filter((part) => part.trim() !== '').join('\n\n')
}

/** An attachment in Slack's own markup; a preview of a link says nothing new. */
function readAttachment(fields: Fields): string {
  if (toText(fields['from_url']) !== '' || fields['is_msg_unfurl'] === true) return ''
  const title = toText(fields['title'])
  const lines = [
    toText(fields['pretext']),
    firstText(fields['author_name']),
    title === '' ? '' : `*${linkSlack(plainAddress(fields['title_link']), title)}*`,
    toText(fields['text']),
    ...toList(fields['fields']).map((one) => {
      const { title: name, value } = toFields(one)
      return [toText(name) && `*${toText(name)}*`, toText(value)].filter(Boolean).join(': ')
    }),
    textOfBlocks(toList(fields['blocks'])),
  ].filter((line) => line.trim() !== '')
  return lines.length > 0 ? lines.join('\n') : toText(fields['fallback'])
}

function readReactions(fields: Fields): ForeignReaction[] {
  return toList(fields['reactions']).flatMap((one) => {
    const { name, users } = toFields(one)
    return toText(name) === '' ? [] : [{ name: toText(name), users: toTexts(users) }]
  })
}

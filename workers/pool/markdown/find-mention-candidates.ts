/**
 * Finds names that a text may mention, so that the server can build a small snapshot: perhaps more than rendering
 * needs, never less.
 */

import { UPLOADS_BASE } from '../../../server/domain/files/uploads.ts'
import { readChannelLink, readMention, splitUserName } from './mention-syntax.ts'
import { decodePath } from './uploads.ts'

/** Names as written, each once. Lookups ignore case. */
export interface MentionCandidates {
  readonly userNames: readonly string[]
  readonly userIds: readonly number[]
  readonly groupNames: readonly string[]
  readonly channelNames: readonly string[]
  readonly topics: readonly { readonly channelName: string; readonly topic: string }[]
  readonly emojiNames: readonly string[]
  /** Below `/user_uploads/`, without the organization's address and percent-encoding. */
  readonly uploadPaths: readonly string[]
}

const MARKS = /[@#:]|\/user_uploads\//g
const EMOJI_NAME = /:([\p{L}\p{N}_.+-]{1,100})(?=:)/uy
const SENTENCE_END = /[.,;:!?*_~]{1,20}$/
const UPLOAD_PATH = /[^\s()<>[\]"'`]{1,1000}/y

/** The candidates of a text, including code and quotes. Most messages have none, which one scan detects. */
export function findMentionCandidates(text: string): MentionCandidates {
  const userNames = new Set<string>()
  const userIds = new Set<number>()
  const groupNames = new Set<string>()
  const channelNames = new Set<string>()
  const topics = new Map<string, { channelName: string; topic: string }>()
  const emojiNames = new Set<string>()
  const uploadPaths = new Set<string>()
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    if (mark === '@') {
      const mention = readMention(text, index)
      if (mention?.kind === 'group') groupNames.add(mention.name)
      else if (mention) {
        userNames.add(mention.name)
        const parts = splitUserName(mention.name)
        if (parts) userIds.add(parts.id)
      }
    } else if (mark === '#') {
      for (const { channel, topic } of readChannelLink(text, index)?.readings ?? []) {
        channelNames.add(channel)
        if (topic !== undefined) topics.set(`${channel}>${topic}`, { channelName: channel, topic })
      }
    } else if (mark === ':') {
      EMOJI_NAME.lastIndex = index
      const name = EMOJI_NAME.exec(text)?.[1]
      if (name !== undefined) emojiNames.add(name)
    } else {
      UPLOAD_PATH.lastIndex = index + UPLOADS_BASE.length
      const rest = UPLOAD_PATH.exec(text)?.[0]
      if (rest === undefined) continue
      uploadPaths.add(decodePath(UPLOADS_BASE + rest))
      // Punctuation at the end of a sentence is not part of an address.
      const withoutEnd = rest.replace(SENTENCE_END, '')
      if (withoutEnd !== rest) uploadPaths.add(decodePath(UPLOADS_BASE + withoutEnd))
    }
  }
  return {
    userNames: [...userNames],
    userIds: [...userIds],
    groupNames: [...groupNames],
    channelNames: [...channelNames],
    topics: [...topics.values()],
    emojiNames: [...emojiNames],
    uploadPaths: [...uploadPaths],
  }
}

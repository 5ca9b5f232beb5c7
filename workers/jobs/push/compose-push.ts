/** The words of a notification about a message. */

import { createHash } from 'node:crypto'
import type { PushedMessage } from '../../../db/notifications/pushes.ts'
import { conversationText } from '../../../packages/rules/conversation-place.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../packages/rules/topics.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { type ServerTexts, textsIn } from '../../../server/texts/texts.ts'
import { plainTextOf } from './plain-text.ts'

/** Characters of a message that a notification shows. */
const TEXT_LENGTH_MAX = 200
/** The setting for no number at the icon. */
const NO_COUNT = 4
/** Bytes of the mark of a conversation: 32 characters of base64url, as many as push services take. */
const MARK_BYTES = 24

/** In the language of the reader. */
function textsOf({ userSettings }: PushedMessage): ServerTexts {
  const language = userSettings['defaultLanguage']
  return textsIn(typeof language === 'string' ? language : 'en')
}

/** The text of a message for a notification. */
export function textOf(message: PushedMessage): string {
  const { t } = textsOf(message)
  const text = plainTextOf(message.rendered)
  if (text === '') return t('Sent a file')
  return text.length <= TEXT_LENGTH_MAX ? text : `${text.slice(0, TEXT_LENGTH_MAX).toWellFormed()}…`
}

/**
 * The text that a push has instead, if that of the message stays on the server: the reader wants no texts in notifications, or
 * none of direct messages on screens. The organization's setting for emails does not count: a push is encrypted for the one
 * device.
 */
export function hiddenTextOf(message: PushedMessage): string | undefined {
  const { channelId, userSettings } = message
  const hides =
    userSettings['hidesNotificationText'] === true ||
    (channelId === null && userSettings['pmContentInDesktopNotifications'] === false)
  if (!hides) return undefined
  const { t } = textsOf(message)
  return t(channelId === null ? 'New direct message' : 'New message')
}

/** Title and body of a notification that shows a message. */
export function wordsOf(message: PushedMessage): { readonly title: string; readonly body: string } {
  const { senderName, channelId, channelName, topic } = message
  const place = `${channelName ?? ''} › ${topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : topic}`
  const title = channelId === null ? senderName : `${senderName} (${place})`
  return { title, body: hiddenTextOf(message) ?? textOf(message) }
}

/** The words of the field for an answer, where a browser has one in its notifications, and of an answer that did not leave. */
export function answerWordsOf(message: PushedMessage): {
  readonly label: string
  readonly placeholder: string
  readonly unsent: string
} {
  const { t } = textsOf(message)
  return { label: t('Reply'), placeholder: t('Write a message'), unsent: t('Your reply wasn’t sent') }
}

/** The number for an icon; undefined if the reader wants none. */
export function badgeOf({ pushedCount, userSettings }: PushedMessage): number | undefined {
  return userSettings['desktopIconCountDisplay'] === NO_COUNT ? undefined : pushedCount
}

/** The address of a message in its conversation, from `#` on. */
export function fragmentOf({ id, channelId, topic, userIds }: PushedMessage, readerId: UserId): string {
  if (channelId !== null) return `#narrow/channel/${channelId}/topic/${encodeSegment(topic)}/near/${id}`
  const others = (userIds ?? []).filter((one) => one !== readerId)
  return `#narrow/dm/${(others.length === 0 ? [readerId] : others).join(',')}/near/${id}`
}

/** The same for all messages of a conversation, as the client makes it, and by the secret of a receiver unlike that of any other receiver. */
export function markOf(
  { channelId, topic, userIds }: Pick<PushedMessage, 'channelId' | 'topic' | 'userIds'>,
  secret: Uint8Array,
): string {
  const place = conversationText(channelId === null ? { userIds: userIds ?? [] } : { channelId, topic })
  const hash = createHash('sha256').update(secret).update(place).digest()
  return hash.subarray(0, MARK_BYTES).toString('base64url')
}

/** A text in the part of an address after `#`: percent-encoded, with dots for the percent signs. */
const encodeSegment = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replaceAll(/[.!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.')

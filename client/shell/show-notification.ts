/**
 * The sound and the notification of a message. The service worker shows it, as it does for pushes, so that one message makes
 * one notification; the page does where no worker runs.
 */

import type { Message } from '../../packages/client/src/wire-types.ts'
import type { State } from '../store/apply.ts'
import { noticeOf } from '../store/derived/notices.ts'
import { channelsById } from '../store/derived/channels.ts'
import { matchNarrow, otherIdsOf } from '../store/messages/match-narrow.ts'
import { type Narrow, ofDirect, ofTopic, splitNear } from '../store/narrows/narrow.ts'
import { playSound } from '../ui/sound.ts'
import { textOf } from '../ui/text-of.ts'
import { topicName } from '../store/derived/topic.ts'
import type { Router } from '../app/router.ts'
import { t } from '../texts/texts.ts'
import type { NotedMessage } from '../worker/notification-data.ts'
import type { PageNotification } from '../worker/show-notification.ts'

const ICON = '/app/icon-192.png'

/** Those that this page shows without a worker, by their messages. */
export const ownNotifications = new Map<number, Notification>()

/** Notifies of a message that just came, as the person's settings say. */
export function noteMessage(router: Router, state: State, message: Message): void {
  const { desktop, sound } = noticeOf(state, message, message.flags)
  if ((!desktop && !sound) || isOnScreen(router, state, message)) return
  if (sound) playSound(state.user_settings?.notification_sound ?? 'none')
  if (desktop) void showNotification(router, state, message).catch(() => undefined) // Phones refuse pages.
}

/** Whether the person looks at the conversation of a message. */
function isOnScreen(router: Router, state: State, message: Message): boolean {
  const route = router.route.peek()
  if (document.hidden || !document.hasFocus() || route.view !== 'narrow') return false
  return matchNarrow(splitNear(route.narrow).narrow, message, state.user_id ?? 0) === true
}

/** Shows it if the person has allowed notifications; a click opens the conversation. */
async function showNotification(router: Router, state: State, message: Message): Promise<void> {
  if (!globalThis.Notification || Notification.permission !== 'granted') return
  const words = wordsOf(state, message)
  const route = { view: 'narrow', narrow: conversationOf(state, message) } as const
  // Some browsers refuse even the question in private windows.
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  const worker = registration?.active
  if (worker) {
    const navigate = new URL(router.hrefOf(route), location.href).href
    worker.postMessage({ ...words, navigate, data: dataOf(state, message) } satisfies PageNotification)
    return
  }
  const { title, body } = words
  // Several tabs of the browser show the same message once.
  const notification = new Notification(title, { body, icon: ICON, tag: `${message.id}`, silent: true })
  ownNotifications.set(message.id, notification)
  notification.onclose = () => ownNotifications.delete(message.id)
  notification.onclick = () => {
    focus()
    router.go(route)
    notification.close()
  }
}

/** For the worker: the conversation, and the words that it has no catalogue for. */
function dataOf(state: State, message: Message): NotedMessage {
  const { id: messageId, stream_id: channelId, subject: topic, display_recipient: recipient } = message
  const place =
    channelId === undefined
      ? ({ type: 'direct', to: typeof recipient === 'string' ? [] : recipient.map(({ id }) => id) } as const)
      : ({ type: 'channel', to: channelId, topic } as const)
  const answer = { label: t('Reply'), placeholder: t('Write a message'), unsent: t('Your reply wasn’t sent') }
  return { messageId, place, answer, userId: state.user_id ?? 0 }
}

function wordsOf(state: State, message: Message) {
  const { sender_full_name: sender, stream_id: channelId, subject } = message
  const hidesText = state.user_settings?.parley_hide_notification_text !== false
  if (channelId === undefined) {
    const isShown = !hidesText && state.user_settings?.pm_content_in_desktop_notifications === true
    return { title: sender, body: isShown ? textOf(message.content) : t('New direct message') }
  }
  const channel = channelsById(state).get(channelId)?.channel.name ?? ''
  const body = hidesText ? t('New message') : textOf(message.content)
  return { title: `${sender} (${channel} › ${topicName(subject)})`, body }
}

function conversationOf(state: State, message: Message): Narrow {
  if (message.stream_id !== undefined) return ofTopic(message.stream_id, message.subject)
  return ofDirect(otherIdsOf(message, state.user_id ?? 0) ?? [])
}

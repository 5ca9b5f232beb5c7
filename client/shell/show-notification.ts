/** The sound and the notification of a message, by the page or, where the browser refuses those, by the service worker. */

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

const ICON = '/app/icon-192.png'

/** Notifies of a message that just came, as the person's settings say. */
export function noteMessage(router: Router, state: State, message: Message): void {
  const { desktop, sound } = noticeOf(state, message, message.flags)
  if ((!desktop && !sound) || isOnScreen(router, state, message)) return
  if (sound) playSound(state.user_settings?.notification_sound ?? 'none')
  if (desktop) showNotification(router, state, message)
}

/** Whether the person looks at the conversation of a message. */
function isOnScreen(router: Router, state: State, message: Message): boolean {
  const route = router.route.peek()
  if (document.hidden || !document.hasFocus() || route.view !== 'narrow') return false
  return matchNarrow(splitNear(route.narrow).narrow, message, state.user_id ?? 0) === true
}

/** Shows it if the person has allowed notifications; a click opens the conversation. */
function showNotification(router: Router, state: State, message: Message): void {
  if (!globalThis.Notification || Notification.permission !== 'granted') return
  const { title, body } = wordsOf(state, message)
  const route = { view: 'narrow', narrow: conversationOf(state, message) } as const
  // Several tabs of the browser show the same message once.
  const options = { body, icon: ICON, tag: `parley-${message.id}`, silent: true }
  try {
    const notification = new Notification(title, options)
    notification.onclick = () => {
      focus()
      router.go(route)
      notification.close()
    }
  } catch {
    // Browsers of phones refuse notifications of pages. Without a worker push reaches their users.
    showByWorker(title, { ...options, data: router.hrefOf(route) }).catch(() => undefined)
  }
}

async function showByWorker(title: string, options: NotificationOptions): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  if (registration?.active) await registration.showNotification(title, options)
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

/** Notifications on the desktop, sounds, and the number in the title and on the icon. */

import { effect } from '@preact/signals'
import type { Event, Message } from '../../packages/client/src/wire-types.ts'
import type { State } from '../store/apply.ts'
import type { Live } from '../store/live.ts'
import { channelsById } from '../store/derived/channels.ts'
import { badgeCount, noticeOf } from '../store/derived/notices.ts'
import { matchNarrow, otherIdsOf } from '../store/messages/match-narrow.ts'
import type { Route } from '../store/narrows/route.ts'
import { type Narrow, ofDirect, ofTopic, splitNear } from '../store/narrows/narrow.ts'
import { textOf } from '../views/text-of.ts'
import { topicName } from '../views/topic-name.ts'
import { viewTitle } from '../views/view-title.ts'
import type { Router } from './router.ts'
import { playSound } from './sound.ts'

const ICON = '/app/icon.svg'
const ICON_UNREAD = '/app/icon-unread.svg'

/** The parts of a page that notifications follow. */
export interface Notified {
  readonly live: Live
  readonly router: Router
}

/** Runs until the signal aborts. */
export function notify(app: Notified, stop: AbortSignal): void {
  const { live } = app
  const unlisten = live.listen((update, state) => {
    if (update.kind === 'event' && update.event.type === 'message') note(app, state, update.event)
  })
  const dispose = effect(() => {
    const state = live.state.value
    if (state) showCount(state, app.router.route.value)
  })
  stop.addEventListener('abort', () => {
    unlisten()
    dispose()
    showBadge(0)
  })
}

function note(
  app: Notified,
  state: State,
  { message: sent, flags }: Extract<Event, { type: 'message' }>,
): void {
  const message = { ...sent, flags } as Message
  const { hasDesktop, hasSound } = noticeOf(state, message, flags)
  if ((!hasDesktop && !hasSound) || isOnScreen(app, state, message)) return
  if (hasSound) playSound(state.user_settings?.notification_sound ?? 'none')
  if (hasDesktop) showNotification(app, state, message)
}

/** Whether the person looks at the conversation of a message. */
function isOnScreen({ router }: Notified, state: State, message: Message): boolean {
  const route = router.route.peek()
  if (document.hidden || !document.hasFocus() || route.view !== 'narrow') return false
  return matchNarrow(splitNear(route.narrow).narrow, message, state.user_id ?? 0) === true
}

function showNotification(app: Notified, state: State, message: Message): void {
  if (!globalThis.Notification || Notification.permission !== 'granted') return
  const { title, body } = wordsOf(state, message)
  // Several tabs of the browser show the same message once.
  const options = { body, icon: ICON, tag: `parley-${message.id}`, silent: true }
  try {
    const notification = new Notification(title, options)
    notification.onclick = () => {
      focus()
      app.router.go({ view: 'narrow', narrow: conversationOf(state, message) })
      notification.close()
    }
  } catch {
    // Browsers of phones refuse notifications of pages; push reaches their users.
  }
}

function wordsOf(state: State, message: Message) {
  const { sender_full_name: sender, stream_id: channelId, subject } = message
  if (channelId === undefined) {
    const isShown = state.user_settings?.pm_content_in_desktop_notifications ?? false
    return { title: sender, body: isShown ? textOf(message.content) : 'New direct message' }
  }
  const channel = channelsById(state).get(channelId)?.channel.name ?? ''
  return { title: `${sender} (${channel} › ${topicName(subject)})`, body: textOf(message.content) }
}

function conversationOf(state: State, message: Message): Narrow {
  if (message.stream_id !== undefined) return ofTopic(message.stream_id, message.subject)
  return ofDirect(otherIdsOf(message, state.user_id ?? 0) ?? [])
}

function showCount(state: State, route: Route): void {
  const count = badgeCount(state)
  const name = `${viewTitle(state, route)} · ${state.realm_name ?? 'Parley'}`
  document.title = count > 0 ? `(${count}) ${name}` : name
  showBadge(count)
}

/** Browsers that installed the page show the number; others show a dot in the tab. */
function showBadge(count: number): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  const href = count > 0 ? ICON_UNREAD : ICON
  if (icon && icon.getAttribute('href') !== href) icon.setAttribute('href', href)
  if (!('setAppBadge' in navigator)) return
  // A page that is not installed is refused.
  navigator.setAppBadge(count).catch(() => undefined)
}

/** Notifications on the desktop, sounds, and the number in the title and on the icon. */

import { effect } from '@preact/signals'
import type { Event, Message } from '../../packages/client/src/wire-types.ts'
import type { State } from '../store/apply.ts'
import type { Live } from '../store/live.ts'
import { badgeCount, noticeOf } from '../store/derived/notices.ts'
import { matchNarrow } from '../store/messages/match-narrow.ts'
import type { Route } from '../store/narrows/route.ts'
import { splitNear } from '../store/narrows/narrow.ts'
import { viewTitle } from './views.tsx'
import type { Router } from '../app/router.ts'
import { playSound } from '../ui/sound.ts'

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
  const { desktop, sound } = noticeOf(state, message, flags)
  if ((!desktop && !sound) || isOnScreen(app, state, message)) return
  if (sound) playSound(state.user_settings?.notification_sound ?? 'none')
  if (!desktop) return
  import('./show-notification.ts')
    .then(({ showNotification }) => showNotification(app.router, state, message))
    .catch(() => undefined) // The page waits for its server; the message is unread.
}

/** Whether the person looks at the conversation of a message. */
function isOnScreen({ router }: Notified, state: State, message: Message): boolean {
  const route = router.route.peek()
  if (document.hidden || !document.hasFocus() || route.view !== 'narrow') return false
  return matchNarrow(splitNear(route.narrow).narrow, message, state.user_id ?? 0) === true
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

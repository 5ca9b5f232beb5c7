/** Notifications on the desktop, sounds, and the number in the title and on the icon. */

import { effect } from '@preact/signals'
import type { Message } from '../../packages/client/src/wire-types.ts'
import type { State } from '../store/apply.ts'
import type { Live } from '../store/live.ts'
import { badgeCount } from '../store/derived/badge-count.ts'
import type { Route } from '../store/narrows/route.ts'
import { viewTitle } from './views.tsx'
import type { Router } from '../app/router.ts'

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
  let unreadCount = 0
  const unlisten = live.listen((update, state) => {
    const before = unreadCount
    unreadCount = state.unread_msgs?.count ?? 0
    if (update.kind === 'event' && update.event.type === 'message') {
      const { message, flags } = update.event
      import('./show-notification.ts')
        .then(({ noteMessage }) => noteMessage(app.router, state, { ...message, flags } as Message))
        .catch(() => undefined) // The page waits for its server; the message is unread.
    } else if (update.kind === 'registered' || unreadCount < before) {
      // Messages were read, or are gone.
      import('./close-read.ts').then(({ closeRead }) => closeRead(state)).catch(() => undefined)
    }
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

/** Shows the number of unread messages in the title and on the icon. */
export function showCount(state: State, route: Route): void {
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

/**
 * The desktop application of the API family, which shows the server's page: it offers an object `electron_bridge`, asks
 * for parts of the page by events, and shows the name, picture and unread messages of each organization.
 */

import { effect } from '@preact/signals'
import { badgeCount } from '../store/derived/badge-count.ts'
import type { App } from './app.ts'

/** The part of the application's object that we use. */
interface Bridge {
  on_event(name: string, listener: () => void): void
  send_event(name: string, value: unknown): void
}

/** The actions of the application's menus. */
export interface DesktopActions {
  readonly logOut: () => void
  readonly showShortcuts: () => void
  readonly showNotificationSettings: () => void
}

/** Follows the application until the signal aborts. */
export function followDesktopApp({ live }: App, actions: DesktopActions, stop: AbortSignal): void {
  const bridge = Reflect.get(globalThis, 'electron_bridge') as Bridge
  // The application forgets no listener.
  const listen = (name: string, run: () => void) => bridge.on_event(name, () => stop.aborted || run())
  listen('logout', actions.logOut)
  listen('show-keyboard-shortcuts', actions.showShortcuts)
  listen('show-notification-settings', actions.showNotificationSettings)
  const send = (name: string, find: () => unknown) => {
    let sent: unknown
    return effect(() => {
      const value = live.state.value && find()
      if (value === undefined || value === sent) return
      sent = value
      bridge.send_event(name, value)
    })
  }
  const disposals = [
    send('realm_name', () => live.state.value?.realm_name),
    send('realm_icon_url', () => live.state.value?.realm_icon_url),
    send('total_unread_count', () => live.state.value && badgeCount(live.state.value)),
  ]
  stop.addEventListener('abort', () => {
    for (const dispose of disposals) dispose()
  })
}

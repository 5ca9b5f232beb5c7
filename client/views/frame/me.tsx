/** The own name and status, with a menu: status, settings, help, and the way out. */

import { useEffect } from 'preact/hooks'
import { useApi } from '../../shell/api.ts'
import { useApp, useState } from '../../shell/app.ts'
import { usersById } from '../../store/derived/users.ts'
import { Face } from '../face.tsx'
import { Icon } from '../icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { sayProblem } from '../parts/toasts.tsx'
import { StatusEmoji } from '../people/status-text.tsx'
import { shownPresence } from '../people/shown-presence.ts'
import { statusDialogIsOpen } from '../people/status-shown.ts'
import { helpIsOpen } from './help-shown.ts'

export function Me({ onLoggedOut }: { readonly onLoggedOut: () => void }) {
  const api = useApi()
  const app = useApp()
  const state = useState()
  const { user_id: id = 0 } = state
  const user = usersById(state).get(id)
  const status = state.user_status?.[String(id)]
  const logOut = () =>
    void import('../rare.ts').then((rare) => rare.logOut(app, api, onLoggedOut)).catch(sayProblem)
  useEffect(() => {
    if (!('electron_bridge' in globalThis)) return
    const stop = new AbortController()
    const actions = {
      logOut,
      showShortcuts: () => void (helpIsOpen.value = true),
      showNotificationSettings: () => app.router.go({ view: 'settings', path: ['notifications'] }),
    }
    import('../rare.ts').then(
      ({ followDesktopApp }) => followDesktopApp(app, actions, stop.signal),
      sayProblem,
    )
    return () => stop.abort()
  }, [app])
  const items = () => [
    { text: 'Set status', onChoose: () => void (statusDialogIsOpen.value = true) },
    { text: 'Settings', onChoose: () => app.router.go({ view: 'settings', path: ['profile'] }) },
    { text: 'Keyboard', onChoose: () => void (helpIsOpen.value = true) },
    { text: 'Log out', onChoose: logOut },
  ]
  return (
    <div class="me">
      <Face
        userId={id}
        name={user?.full_name ?? ''}
        picture={user?.avatar_url}
        size="small"
        presence={shownPresence(app, id)}
      />
      <div class="me-text">
        <span dir="auto">{user?.full_name}</span>
        {(status?.status_text || status?.emoji_code) && (
          <small dir="auto">
            <StatusEmoji userId={id} /> {status.status_text}
          </small>
        )}
      </div>
      <Menu label="You" items={items}>
        <Icon name="more" />
      </Menu>
    </div>
  )
}

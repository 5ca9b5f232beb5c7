/** The own name and status, with a menu: status, settings, help, and the way out. */

import { useEffect } from 'preact/hooks'
import { useApi } from '../../app/api.ts'
import { useApp, useState } from '../../app/app.ts'
import { usersById } from '../../store/derived/users.ts'
import { Face } from '../people/face.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { showError } from '../../ui/toasts.tsx'
import { StatusEmoji } from '../people/status-text.tsx'
import { shownPresence } from '../people/shown-presence.ts'
import { t } from '../../texts/texts.ts'

const SilenceLine = lazy(async () => (await import('./silence-line.tsx')).SilenceLine, {
  isQuiet: true,
})

export function Me({ onLoggedOut }: { readonly onLoggedOut: () => void }) {
  const api = useApi()
  const app = useApp()
  const state = useState()
  const { user_id: id = 0 } = state
  const user = usersById(state).get(id)
  const status = state.user_status?.[String(id)]
  const { parley_notifications_paused_until: pausedUntil, parley_quiet_hours: quietHours } =
    state.user_settings ?? {}
  const logOut = () =>
    void import('../leaving/log-out.tsx')
      .then((leaving) => leaving.logOut(app, api, onLoggedOut))
      .catch(showError)
  useEffect(() => {
    if (!('electron_bridge' in globalThis)) return
    const stop = new AbortController()
    const actions = {
      logOut,
      showShortcuts: () => void (app.dialogs.help.value = true),
      showNotificationSettings: () => app.router.go({ view: 'settings', path: ['notifications'] }),
    }
    import('../../app/desktop-app.ts').then(
      ({ followDesktopApp }) => followDesktopApp(app, actions, stop.signal),
      showError,
    )
    return () => stop.abort()
  }, [app])
  const items = () => [
    { text: t('Set status'), onChoose: () => void (app.dialogs.status.value = true) },
    {
      text: t('Pause notifications'),
      onChoose: () => app.router.go({ view: 'settings', path: ['sessions'] }),
    },
    { text: t('Settings'), onChoose: () => app.router.go({ view: 'settings', path: ['profile'] }) },
    { text: t('Keyboard shortcuts'), keys: '?', onChoose: () => void (app.dialogs.help.value = true) },
    { text: t('Log out'), onChoose: logOut },
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
        {(pausedUntil || quietHours) && <SilenceLine />}
      </div>
      <Menu label={t('You')} items={items}>
        <Icon name="more" />
      </Menu>
    </div>
  )
}

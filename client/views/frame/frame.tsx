/** The frame of all views: the places at the side, the current view, and a word on the connection. */

import { useEffect, useRef } from 'preact/hooks'
import { useApp } from '../../shell/app.ts'
import type { Route } from '../../store/narrows/route.ts'
import { Conversation } from '../conversation/conversation.tsx'
import { Inbox } from '../inbox/inbox.tsx'
import { Waiting } from '../waiting.tsx'
import { lazy } from '../parts/lazy.tsx'
import { hasPanel, isPhone, panelIsOpen } from '../panel/panel-shown.ts'
import { usePhone } from '../panel/use-phone.ts'
import { Toasts } from '../parts/toasts.tsx'
import { TopicMoves } from '../actions/topic-moves.tsx'
import { ProfileCards } from '../people/profile-cards.tsx'
import { statusDialogIsOpen } from '../people/status-shown.ts'
import { ConnectionNote } from './connection-note.tsx'
import { focusHeading, useFocusOfView } from './focus-view.ts'
import { Help } from './help.tsx'
import { Places } from './places.tsx'
import { Side } from './side.tsx'
import { Tabs } from './tabs.tsx'

const Announcer = lazy(async () => (await import('../writing.ts')).Announcer, { isQuiet: true })
const Panel = lazy(async () => (await import('../rare.ts')).Panel)
const UserView = lazy(async () => (await import('../rare.ts')).UserView)
const StatusDialog = lazy(async () => (await import('../rare.ts')).StatusDialog)
const SettingsView = lazy(async () => (await import('../rare.ts')).SettingsView)
const ChannelsView = lazy(async () => (await import('../rare.ts')).ChannelsView)
const OrganizationView = lazy(async () => (await import('../rare.ts')).OrganizationView)

const FactorNote = lazy(async () => (await import('../rare.ts')).FactorNote, { isQuiet: true })
const Recent = lazy(async () => (await import('../rare.ts')).Recent)
const Drafts = lazy(async () => (await import('../rare.ts')).Drafts)
const Scheduled = lazy(async () => (await import('../rare.ts')).Scheduled)
const Reminders = lazy(async () => (await import('../rare.ts')).Reminders)
const Topics = lazy(async () => (await import('../rare.ts')).Topics)
const NewDirect = lazy(async () => (await import('../rare.ts')).NewDirect)

export function Frame({ onLoggedOut }: { readonly onLoggedOut: () => void }) {
  const app = useApp()
  const route = app.router.route.value
  // A dialog with an address is shown above the view before it, and so are the places beside it.
  const shown = useRef<Route>({ view: 'inbox' })
  const isFirst = useRef(true)
  if (route.view !== 'new-direct' && route.view !== 'places') shown.current = route
  if (route.view !== 'new-direct') isFirst.current = false
  const closeDialog = () => (isFirst.current ? app.router.replace(shown.current) : history.back())
  useEffect(() => {
    if (isPhone()) panelIsOpen.value = false
  }, [route])
  const isNarrow = usePhone()
  useFocusOfView()
  // The first conversation should have its composer at once.
  useEffect(() => {
    const left = new AbortController()
    import('../writing.ts').then(
      ({ runLater }) => runLater(app, left.signal),
      () => undefined, // The parts that need it say so, and ask again.
    )
    return () => left.abort()
  }, [app])
  if (!app.live.state.value) return <Waiting text="Loading your team…" />
  const showsPanel = panelIsOpen.value && hasPanel(route)
  const classes = ['app', route.view === 'places' && 'at-places', showsPanel && 'with-panel']
  return (
    <div class={classes.filter(Boolean).join(' ')}>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          focusHeading()
        }}
      >
        Skip to the content
      </a>
      <Places isContent={isNarrow && route.view === 'places'}>
        <Side onLoggedOut={onLoggedOut} />
      </Places>
      <main class="main" id="main">
        <View route={shown.current} />
      </main>
      {showsPanel && route.view === 'narrow' && <Panel narrow={route.narrow} />}
      {route.view === 'new-direct' && <NewDirect onClose={closeDialog} />}
      <Tabs />
      {Number(app.live.state.value.realm_second_factor_grace_days) >= 0 && <FactorNote />}
      <ConnectionNote />
      <Toasts />
      <TopicMoves />
      <Announcer />
      <ProfileCards />
      {statusDialogIsOpen.value && <StatusDialog />}
      <Help />
    </div>
  )
}

function View({ route }: { readonly route: Route }) {
  switch (route.view) {
    case 'narrow':
      return <Conversation narrow={route.narrow} />
    case 'user':
      return <UserView path={route.path} />
    case 'settings':
      return <SettingsView path={route.path} />
    case 'channels':
      return <ChannelsView path={route.path} />
    case 'organization':
    case 'groups':
      return <OrganizationView view={route.view} path={route.path} />
    case 'recent':
      return <Recent />
    case 'drafts':
      return <Drafts />
    case 'scheduled':
      return <Scheduled />
    case 'reminders':
      return <Reminders />
    case 'topics':
      return <Topics path={route.path} />
    default:
      return <Inbox />
  }
}

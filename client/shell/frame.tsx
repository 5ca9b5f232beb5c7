/** The frame of all views: the places at the side, the current view, and a word on the connection. */

import { useEffect, useRef } from 'preact/hooks'
import { useApp } from '../app/app.ts'
import type { Route } from '../store/narrows/route.ts'
import { Waiting } from '../ui/waiting.tsx'
import { lazy } from '../ui/lazy.tsx'
import { hasPanel } from '../features/panel/has-panel.ts'
import { isPhone, usePhone } from '../ui/use-phone.ts'
import { Toasts } from '../ui/toasts.tsx'
import { TopicMoves } from '../features/topics/topic-moves.tsx'
import { ProfileCards } from '../features/people/profile-cards.tsx'
import { ConnectionNote } from '../ui/connection-note.tsx'
import { useFocusOfView } from '../ui/focus-view.ts'
import { Places } from '../ui/places.tsx'
import { Side } from '../features/sidebar/side.tsx'
import { Tabs } from './tabs.tsx'
import { isWhole, ViewOf } from './views.tsx'
import { t } from '../texts/texts.ts'

const Announcer = lazy(async () => (await import('../features/conversation/announcer.tsx')).Announcer, {
  isQuiet: true,
})
const Panel = lazy(async () => (await import('../features/panel/panel.tsx')).Panel)
const StatusDialog = lazy(async () => (await import('../features/people/status-dialog.tsx')).StatusDialog)
const FactorNote = lazy(async () => (await import('./factor-note.tsx')).FactorNote, { isQuiet: true })
const PushAsk = lazy(async () => (await import('../features/notifications/push-ask.tsx')).PushAsk, {
  isQuiet: true,
})
const NewDirect = lazy(async () => (await import('../features/lists/new-direct.tsx')).NewDirect)
const Shortcuts = lazy(async () => (await import('./shortcuts.tsx')).Shortcuts)
const Palette = lazy(async () => (await import('./palette.tsx')).Palette, { isQuiet: true })

/** The keyboard and other parts come after the first view, so that the first conversation has its composer at once. */
function useLaterParts(): void {
  const app = useApp()
  useEffect(() => {
    const left = new AbortController()
    const early: KeyboardEvent[] = []
    const collect = (event: KeyboardEvent) => void early.push(event)
    addEventListener('keydown', collect, { signal: left.signal })
    import('./run-later.ts').then(
      ({ runLater }) => {
        removeEventListener('keydown', collect)
        runLater(app, left.signal, early)
      },
      () => undefined, // The parts that need it say so, and ask again.
    )
    return () => left.abort()
  }, [app])
}

export function Frame({ onLoggedOut }: { readonly onLoggedOut: () => void }) {
  const app = useApp()
  const route = app.router.route.value
  // A dialog with an address is shown above the view before it, and so are the places beside it.
  const shown = useRef<Route>({ view: 'inbox' })
  const isFirst = useRef(true)
  if (isWhole(route)) shown.current = route
  if (route.view !== 'new-direct') isFirst.current = false
  const closeDialog = () => (isFirst.current ? app.router.replace(shown.current) : history.back())
  useEffect(() => {
    if (isPhone()) app.device.panelIsOpen.value = false
  }, [route])
  const isNarrow = usePhone()
  useFocusOfView()
  useLaterParts()
  if (!app.live.state.value) return <Waiting text={t('Loading your team…')} />
  // One question at a time.
  const wantsFactor = Number(app.live.state.value.realm_second_factor_grace_days) >= 0
  const { panelIsOpen, sideIsHidden, sideWidth } = app.device
  const showsPanel = panelIsOpen.value && hasPanel(route)
  const classes = [
    'app',
    route.view === 'places' && 'at-places',
    showsPanel && 'with-panel',
    sideIsHidden.value && 'without-side',
  ]
  return (
    <div class={classes.filter(Boolean).join(' ')} style={{ '--side': `${sideWidth.value}px` }}>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          app.handles.focusHeading()
        }}
      >
        {t('Skip to content')}
      </a>
      {wantsFactor && <FactorNote />}
      {!wantsFactor && !app.isVisitor && app.hasOpened.value && <PushAsk />}
      <Places isContent={isNarrow && route.view === 'places'}>
        <Side onLoggedOut={onLoggedOut} />
      </Places>
      <div class="sheet">
        <main class="main" id="main" ref={(view) => void (app.handles.main = view ?? undefined)}>
          <ViewOf route={shown.current} />
        </main>
        {showsPanel && route.view === 'narrow' && <Panel narrow={route.narrow} />}
      </div>
      {route.view === 'new-direct' && <NewDirect onClose={closeDialog} />}
      <Tabs route={route.view === 'new-direct' ? shown.current : route} />
      <ConnectionNote />
      <Toasts />
      <TopicMoves />
      <Announcer />
      <ProfileCards />
      {app.dialogs.status.value && <StatusDialog />}
      <Help />
    </div>
  )
}

/** The help on the keyboard and the palette, while they are open. */
function Help() {
  const { help, palette } = useApp().dialogs
  return (
    <>
      {help.value && <Shortcuts onClose={() => (help.value = false)} />}
      {palette.value && <Palette onClose={() => (palette.value = false)} />}
    </>
  )
}

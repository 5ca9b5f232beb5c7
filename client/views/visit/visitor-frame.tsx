/** The frame of all views for people without an account: public channels at the side, and the way to the log-in. */

import { useEffect, useRef } from 'preact/hooks'
import { useApp } from '../../shell/app.ts'
import type { Route } from '../../store/narrows/route.ts'
import { ConnectionNote } from '../frame/connection-note.tsx'
import { focusHeading, useFocusOfView } from '../frame/focus-view.ts'
import { Places } from '../frame/places.tsx'
import { usePhone } from '../panel/use-phone.ts'
import { lazy } from '../parts/lazy.tsx'
import { Toasts } from '../parts/toasts.tsx'
import { Waiting } from '../waiting.tsx'
import { PublicChannels } from './public-channels.tsx'
import { VisitorConversation } from './visitor-conversation.tsx'
import { VisitorSide } from './visitor-side.tsx'
import { VisitorTabs } from './visitor-tabs.tsx'

const Topics = lazy(async () => (await import('../rare.ts')).Topics)

interface VisitorFrameProps {
  readonly onLogIn: () => void
}

export function VisitorFrame({ onLogIn }: VisitorFrameProps) {
  const app = useApp()
  const route = app.router.route.value
  const name = app.live.state.value?.realm_name
  const isLoaded = name !== undefined
  const shown = useRef<Route>({ view: 'inbox' })
  if (route.view !== 'places') shown.current = route
  const isNarrow = usePhone()
  useFocusOfView()
  useEffect(() => {
    if (!isLoaded) return
    document.title = name
    // The button that led here is gone.
    if (document.activeElement === document.body) focusHeading()
  }, [isLoaded, name])
  if (!isLoaded) return <Waiting text="Loading the public channels…" />
  return (
    <div class={route.view === 'places' ? 'app at-places' : 'app'}>
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
        <VisitorSide onLogIn={onLogIn} />
      </Places>
      <main class="main" id="main">
        <View route={shown.current} onLogIn={onLogIn} />
      </main>
      <VisitorTabs onLogIn={onLogIn} />
      <ConnectionNote />
      <Toasts />
    </div>
  )
}

function View({ route, onLogIn }: VisitorFrameProps & { readonly route: Route }) {
  switch (route.view) {
    case 'narrow':
      return <VisitorConversation narrow={route.narrow} onLogIn={onLogIn} />
    case 'topics':
      return <Topics path={route.path} />
    default:
      return <PublicChannels />
  }
}

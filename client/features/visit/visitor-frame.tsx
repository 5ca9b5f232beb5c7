/** The frame of all views for people without an account: public channels at the side, and the way to the log-in. */

import { useEffect, useRef } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import type { Route } from '../../store/narrows/route.ts'
import { ConnectionNote } from '../../ui/connection-note.tsx'
import { useFocusOfView } from '../../ui/focus-view.ts'
import { Places } from '../../ui/places.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { lazy } from '../../ui/lazy.tsx'
import { Toasts } from '../../ui/toasts.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { VisitorConversation } from './visitor-conversation.tsx'
import { VisitorSide } from './visitor-side.tsx'
import { t } from '../../texts/texts.ts'
import { channelSections } from '../../store/derived/channels.ts'
import { ofChannel } from '../../store/narrows/narrow.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { ListView } from '../lists/list-view.tsx'
import { ServerHtml } from '../../ui/server-html.tsx'
import { Icon } from '../../ui/icon.tsx'
import { RareIcon } from '../../ui/rare-icon.tsx'

const Topics = lazy(async () => (await import('../lists/topics.tsx')).Topics)

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
    if (document.activeElement === document.body) app.handles.focusHeading()
  }, [isLoaded, name])
  if (!isLoaded) return <Waiting text={t('Loading public channels…')} />
  return (
    <div class={route.view === 'places' ? 'app at-places' : 'app'}>
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
      <Places isContent={isNarrow && route.view === 'places'}>
        <VisitorSide onLogIn={onLogIn} />
      </Places>
      <div class="sheet">
        <main class="main" id="main" ref={(view) => void (app.handles.main = view ?? undefined)}>
          <View route={shown.current} onLogIn={onLogIn} />
        </main>
      </div>
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

/** The first view of visitors: the public channels, with what each is about. */
function PublicChannels() {
  const { router } = useApp()
  const state = useState()
  const channels = channelSections(state).flatMap((section) => section.channels)
  return (
    <ListView title={t('Public channels')} about={t('Anyone can read these, even without an account.')}>
      {channels.length === 0 && <p class="empty">{t('No public channels right now')}</p>}
      {channels.length > 0 && (
        <ul class="group public-channels">
          {channels.map(({ stream_id: channelId, name, rendered_description: about }) => (
            <li key={channelId}>
              <a href={router.hrefOf({ view: 'narrow', narrow: ofChannel(channelId) })}>
                <ChannelMark channelId={channelId} />
                <b dir="auto">{name}</b>
              </a>
              <ServerHtml html={about} />
            </li>
          ))}
        </ul>
      )}
    </ListView>
  )
}

/** On a phone: the two ways of a visitor. */
function VisitorTabs({ onLogIn }: { readonly onLogIn: () => void }) {
  const { router } = useApp()
  const isPlaces = router.route.value.view === 'places'
  return (
    <nav class="tabs visitor-tabs" aria-label={t('Main')}>
      <button
        type="button"
        aria-current={isPlaces ? 'page' : undefined}
        onClick={() => router.go({ view: 'places' })}
      >
        <Icon name="hash" />
        {t('Channels')}
      </button>
      <button type="button" onClick={onLogIn}>
        <RareIcon name="key" />
        {t('Log in')}
      </button>
    </nav>
  )
}

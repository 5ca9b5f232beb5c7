/** On a phone: the four roots. A conversation, or a page of the settings, has the whole height. */

import { useApp } from '../app/app.ts'
import { callsOf } from '../store/derived/calls.ts'
import type { Route } from '../store/narrows/route.ts'
import { Count } from '../ui/count.tsx'
import { Icon } from '../ui/icon.tsx'
import { isRoot } from '../ui/is-root.ts'
import { usePhone } from '../ui/use-phone.ts'
import { openSearch } from './open-search.ts'
import { t } from '../texts/texts.ts'

const ROOTS = [
  { view: 'inbox', icon: 'inbox', text: t('Inbox') },
  { view: 'places', icon: 'hash', text: t('Channels') },
  { view: 'settings', icon: 'people', text: t('You') },
] as const

/** `route` is the view, also while a dialog with an address stands above it. */
export function Tabs({ route }: { readonly route: Route }) {
  const app = useApp()
  if (!usePhone() || !isRoot(route)) return null
  const links = ROOTS.map(({ view, icon, text }) => (
    <a key={view} href={`#${view}`} aria-current={view === route.view ? 'page' : undefined}>
      <Icon name={icon} />
      {text}
      {view === 'inbox' && <Count count={callsOf(app.state.value).total} isImportant />}
    </a>
  ))
  return (
    <nav class="tabs" aria-label={t('Main')}>
      {links.slice(0, 2)}
      <button type="button" onClick={() => openSearch(app)}>
        <Icon name="search" />
        {t('Search')}
      </button>
      {links.slice(2)}
    </nav>
  )
}

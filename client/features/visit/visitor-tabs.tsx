/** On a phone: the two ways of a visitor. */

import { useApp } from '../../app/app.ts'
import { Icon } from '../../ui/icon.tsx'
import { RareIcon } from '../../ui/rare-icon.tsx'

export function VisitorTabs({ onLogIn }: { readonly onLogIn: () => void }) {
  const { router } = useApp()
  const isPlaces = router.route.value.view === 'places'
  return (
    <nav class="tabs visitor-tabs" aria-label="Main">
      <button
        type="button"
        aria-current={isPlaces ? 'page' : undefined}
        onClick={() => router.go({ view: 'places' })}
      >
        <Icon name="hash" />
        Channels
      </button>
      <button type="button" onClick={onLogIn}>
        <RareIcon name="key" />
        Log in
      </button>
    </nav>
  )
}

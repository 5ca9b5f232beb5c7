/** On a phone: the two ways of a visitor. */

import { useApp } from '../../app/app.ts'
import { Icon } from '../../ui/icon.tsx'
import { RareIcon } from '../../ui/rare-icon.tsx'
import { t } from '../../texts/texts.ts'

export function VisitorTabs({ onLogIn }: { readonly onLogIn: () => void }) {
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

/** At the start of a head: the way back to the places on a phone, and to the sidebar while it is hidden. */

import { useApp } from '../app/app.ts'
import { Icon } from './icon.tsx'
import { isRoot } from './is-root.ts'
import { ShowSide } from './show-side.tsx'
import { t } from '../texts/texts.ts'

export function PlacesLink() {
  const { router } = useApp()
  return (
    <>
      {!isRoot(router.route.value) && (
        <button
          class="ghost only-phone"
          aria-label={t('Places')}
          onClick={() => router.go({ view: 'places' })}
        >
          <Icon name="back" />
        </button>
      )}
      <ShowSide />
    </>
  )
}

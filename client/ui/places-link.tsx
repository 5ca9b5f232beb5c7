/** On a phone: the way back from a view to the places. */

import { useApp } from '../app/app.ts'
import { Icon } from './icon.tsx'

export function PlacesLink() {
  const { router } = useApp()
  return (
    <button class="ghost only-phone" aria-label="Places" onClick={() => router.go({ view: 'places' })}>
      <Icon name="back" />
    </button>
  )
}

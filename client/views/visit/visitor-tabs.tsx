/** On a phone: the two ways of a visitor. */

import { placesAreShown } from '../frame/places-shown.ts'
import { Icon } from '../icon.tsx'
import { RareIcon } from '../rare-icon.tsx'

export function VisitorTabs({ onLogIn }: { readonly onLogIn: () => void }) {
  const isPlaces = placesAreShown.value
  return (
    <nav class="tabs visitor-tabs" aria-label="Main">
      <button
        type="button"
        aria-current={isPlaces ? 'page' : undefined}
        onClick={() => (placesAreShown.value = true)}
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

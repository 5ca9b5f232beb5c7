/** On a phone: the way back from a view to the places. */

import { Icon } from '../icon.tsx'
import { placesAreShown } from './places-shown.ts'

export function PlacesLink() {
  return (
    <button class="ghost only-phone" aria-label="Places" onClick={() => (placesAreShown.value = true)}>
      <Icon name="back" />
    </button>
  )
}

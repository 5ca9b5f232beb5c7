/** At the start of a head: the way back to the places on a phone, and to the sidebar while it is hidden. */

import { useApp } from '../app/app.ts'
import { callsOf } from '../store/derived/calls.ts'
import { Icon } from './icon.tsx'
import { isRoot } from './is-root.ts'

export function PlacesLink() {
  const { router, device, state } = useApp()
  return (
    <>
      {!isRoot(router.route.value) && (
        <button class="ghost only-phone" aria-label="Places" onClick={() => router.go({ view: 'places' })}>
          <Icon name="back" />
        </button>
      )}
      {device.sideIsHidden.value && (
        <button
          class="ghost only-wide show-side"
          aria-label="Show sidebar"
          title="Show sidebar (Ctrl+\\)"
          onClick={() => (device.sideIsHidden.value = false)}
        >
          <Icon name="side" />
          {callsOf(state.value).total > 0 && <i class="dot" />}
        </button>
      )}
    </>
  )
}

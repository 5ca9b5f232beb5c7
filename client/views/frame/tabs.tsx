/** On a phone: the places that people visit most. */

import { useApp } from '../../shell/app.ts'
import { Icon, type IconName } from '../icon.tsx'
import { placesAreShown } from './places-shown.ts'

export function Tabs() {
  const { router } = useApp()
  const { view } = router.route.value
  const isPlaces = placesAreShown.value
  return (
    <nav class="tabs" aria-label="Main">
      <Tab href="#inbox" icon="inbox" text="Inbox" isCurrent={!isPlaces && view === 'inbox'} />
      <Tab href="#recent" icon="lines" text="Recent" isCurrent={!isPlaces && view === 'recent'} />
      <a
        href="#places"
        aria-current={isPlaces ? 'page' : undefined}
        onClick={(event) => {
          event.preventDefault()
          placesAreShown.value = true
        }}
      >
        <Icon name="hash" />
        Channels
      </a>
      <Tab href="#settings" icon="mention" text="You" isCurrent={!isPlaces && view === 'settings'} />
    </nav>
  )
}

interface TabProps {
  readonly href: string
  readonly icon: IconName
  readonly text: string
  readonly isCurrent: boolean
}

function Tab({ href, icon, text, isCurrent }: TabProps) {
  return (
    <a
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => (placesAreShown.value = false)}
    >
      <Icon name={icon} />
      {text}
    </a>
  )
}

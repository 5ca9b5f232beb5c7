/** On a phone: the places that people visit most. */

import { useApp } from '../app/app.ts'
import { Icon, type IconName } from '../ui/icon.tsx'

export function Tabs() {
  const { router } = useApp()
  const { view } = router.route.value
  return (
    <nav class="tabs" aria-label="Main">
      <Tab href="#inbox" icon="inbox" text="Inbox" isCurrent={view === 'inbox'} />
      <Tab href="#recent" icon="lines" text="Recent" isCurrent={view === 'recent'} />
      <Tab href="#places" icon="hash" text="Channels" isCurrent={view === 'places'} />
      <Tab href="#settings" icon="mention" text="You" isCurrent={view === 'settings'} />
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
    <a href={href} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={icon} />
      {text}
    </a>
  )
}

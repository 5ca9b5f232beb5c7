/** The places at the side: views, people, and channels with their unread topics. */

import { useApp, useState } from '../../app/app.ts'
import { unreadOf } from '../../store/derived/unread.ts'
import { MENTIONS, STARRED } from '../../store/narrows/narrow.ts'
import type { Route } from '../../store/narrows/route.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { ownPicture } from '../../ui/own-picture.ts'
import { SearchField } from '../search/search-field.tsx'
import { Count } from '../../ui/count.tsx'
import { isSame } from '../../store/narrows/is-same.ts'
import { Me } from './me.tsx'
import { SideChannels } from './side-channels.tsx'
import { SideDirects } from './side-directs.tsx'

export function Side({ onLoggedOut }: { readonly onLoggedOut: () => void }) {
  const state = useState()
  const unread = unreadOf(state)
  // They may be hundreds of rows: the conversation that the person came for is painted before them.
  const hasOpened = useApp().hasOpened.value
  return (
    <nav class="side" aria-label="Places">
      <div class="organization">
        <img src={ownPicture(state.realm_icon_url ?? '') ?? '/app/icon.svg'} alt="" width={26} height={26} />
        <span dir="auto">{state.realm_name}</span>
        {!state.is_guest && (
          <a class="ghost" href="#organization" title="Administration" aria-label="Administration">
            <Icon name="sliders" />
          </a>
        )}
      </div>
      <SearchField />
      <div class="side-scroll">
        <ul>
          <Place icon="inbox" name="Inbox" route={{ view: 'inbox' }} count={unread.total} />
          <Place icon="lines" name="Recent" route={{ view: 'recent' }} />
          <Place
            icon="mention"
            name="Mentions"
            route={{ view: 'narrow', narrow: MENTIONS }}
            count={unread.mentions}
            isImportant
          />
          <Place
            icon="star"
            name="Starred"
            route={{ view: 'narrow', narrow: STARRED }}
            count={state.user_settings?.starred_message_counts ? (state.starred_messages?.length ?? 0) : 0}
            unit="starred"
          />
          <Place
            icon="pen"
            name="Drafts"
            route={{ view: 'drafts' }}
            count={state.drafts?.length ?? 0}
            unit="drafts"
          />
          <Place
            icon="clock"
            name="Scheduled"
            route={{ view: 'scheduled' }}
            count={state.scheduled_messages?.length ?? 0}
            unit="waiting"
          />
          {(state.reminders?.length ?? 0) > 0 && (
            <Place
              icon="bell"
              name="Reminders"
              route={{ view: 'reminders' }}
              count={state.reminders?.length ?? 0}
              unit="waiting"
            />
          )}
        </ul>
        <SideDirects />
        {hasOpened && <SideChannels unread={unread} />}
      </div>
      <Me onLoggedOut={onLoggedOut} />
    </nav>
  )
}

interface PlaceProps {
  readonly icon: IconName
  readonly name: string
  readonly route: Route
  readonly count?: number | undefined
  readonly isImportant?: boolean
  /** The meaning of the count, if it is not one of unread messages. */
  readonly unit?: string
}

function Place({ icon, name, route, count = 0, isImportant = false, unit }: PlaceProps) {
  const { router } = useApp()
  const isCurrent = isSame(router.route.value, route)
  return (
    <li>
      <a
        class={count > 0 && unit === undefined ? 'row unread' : 'row'}
        href={router.hrefOf(route)}
        aria-current={isCurrent ? 'page' : undefined}
      >
        <Icon name={icon} />
        <span class="name">{name}</span>
        <Count count={count} isImportant={isImportant} unit={unit} />
      </a>
    </li>
  )
}

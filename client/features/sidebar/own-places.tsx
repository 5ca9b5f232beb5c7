/** The views that belong to the user: what is unread, mentions, starred messages, and what is not sent yet. */

import { useApp, useState } from '../../app/app.ts'
import type { Unread } from '../../store/derived/unread.ts'
import { MENTIONS, STARRED } from '../../store/narrows/narrow.ts'
import { Icon } from '../../ui/icon.tsx'
import { SideList } from './side-list.tsx'
import { SideRow } from './side-row.tsx'
import { t } from '../../texts/texts.ts'

export function OwnPlaces({ unread }: { readonly unread: Unread }) {
  const { user_settings: settings, starred_messages: starred } = useState()
  return (
    <SideList>
      <SideRow route={{ view: 'inbox' }} name={t('Inbox')} count={unread.total}>
        <Icon name="inbox" />
      </SideRow>
      <SideRow route={{ view: 'narrow', narrow: MENTIONS }} name={t('Mentions')} calls={unread.mentions}>
        <Icon name="mention" />
      </SideRow>
      <SideRow route={{ view: 'recent' }} name={t('Recent')}>
        <Icon name="lines" />
      </SideRow>
      <SideRow
        route={{ view: 'narrow', narrow: STARRED }}
        name={t('Starred')}
        count={settings?.starred_message_counts ? (starred?.length ?? 0) : 0}
        unit={t('starred')}
      >
        <Icon name="star" />
      </SideRow>
      <Unsent />
    </SideList>
  )
}

/** One row for all that waits; the lists of scheduled messages and reminders have rows below it while one is open. */
function Unsent() {
  const { view } = useApp().router.route.value
  const state = useState()
  const drafts = state.drafts?.length ?? 0
  const scheduled = state.scheduled_messages?.length ?? 0
  const reminders = state.reminders?.length ?? 0
  const isInner = view === 'scheduled' || view === 'reminders'
  const isOpen = isInner || view === 'drafts'
  return (
    <>
      <SideRow
        route={{ view: 'drafts' }}
        name={t('Drafts and scheduled')}
        count={isOpen ? drafts : drafts + scheduled + reminders}
        unit={t('waiting')}
        isOpen={isInner}
      >
        <Icon name="pen" />
      </SideRow>
      {isOpen && (
        <li class="within">
          <ul role="list" aria-label={t('Scheduled')}>
            <SideRow
              route={{ view: 'scheduled' }}
              name={t('Scheduled')}
              count={scheduled}
              unit={t('waiting')}
              isInner
            />
            <SideRow
              route={{ view: 'reminders' }}
              name={t('Reminders')}
              count={reminders}
              unit={t('waiting')}
              isInner
            />
          </ul>
        </li>
      )}
    </>
  )
}

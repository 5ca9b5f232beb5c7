/** The Inbox: everything unread, by conversation. */

import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { useApp, useState, type App } from '../../app/app.ts'
import {
  countFilters,
  filterGroups,
  INBOX_FILTERS,
  type InboxFilter,
  inboxGroups,
} from '../../store/derived/inbox-groups.ts'
import { unreadOf } from '../../store/derived/unread.ts'
import { allUnreadIds } from '../../store/derived/unread-ids.ts'
import { Count } from '../../ui/count.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PlacesLink } from '../../ui/places-link.tsx'
import { Icon } from '../../ui/icon.tsx'
import { InboxView } from './inbox-items.ts'
import { InboxList } from './inbox-list.tsx'
import { markRead } from '../lists/mark-read.ts'
import { lazy } from '../../ui/lazy.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { locale, t } from '../../texts/texts.ts'

const FirstSteps = lazy(async () => (await import('./first-steps.tsx')).FirstSteps)
const MarkAll = lazy(async () => (await import('./mark-all.tsx')).MarkAll)

/** More messages are marked as read only after a question. */
const UNASKED_MAX = 500

const FILTER_NAMES: Readonly<Record<InboxFilter, string>> = {
  all: t('All'),
  calls: t('For you'),
  followed: t('Followed'),
}

export function Inbox() {
  const app = useApp()
  const state = useState()
  const isPhone = usePhone()
  const isAsking = useSignal(false)
  const unread = unreadOf(state)
  const { total } = unread
  const all = inboxGroups(state)
  const { filter } = app.part(InboxView)
  const groups = useMemo(() => filterGroups(all, filter.value), [all, filter.value])
  const mutedCount = [...unread.channels.values()].reduce((sum, one) => sum + one.mutedCount, 0)
  const markAll = () => {
    isAsking.value = false
    void markRead(app, allUnreadIds(state))
  }
  const filters = total > 0 && <Filters counts={countFilters(state)} />
  return (
    <>
      <header class="head">
        <PlacesLink />
        <h1>{t('Inbox')}</h1>
        {total === 0 ? (
          <div class="about">{t('No unread messages')}</div>
        ) : (
          <>
            {!isPhone && filters}
            <div class="tools">
              <button
                class="ghost worded mark-all"
                title={t('Mark all as read')}
                onClick={() => (total > UNASKED_MAX ? (isAsking.value = true) : markAll())}
              >
                <Icon name="check" />
                <span>{t('Mark all as read')}</span>
              </button>
            </div>
          </>
        )}
      </header>
      <div class="inbox" data-rows>
        {isPhone && filters}
        {hasFirstSteps(app) && <FirstSteps />}
        {groups.length > 0 ? <InboxList groups={groups} /> : <Nothing filter={filter.value} />}
        {mutedCount > 0 && (
          <p class="muted-hint">
            {t('{mutedCount} unread in muted conversations, not shown here.', {
              mutedCount: mutedCount.toLocaleString(locale),
            })}
          </p>
        )}
      </div>
      {isAsking.value && <MarkAll count={total} onMark={markAll} onClose={() => (isAsking.value = false)} />}
    </>
  )
}

function Filters({ counts }: { readonly counts: Readonly<Record<InboxFilter, number>> }) {
  const { filter } = useApp().part(InboxView)
  return (
    <fieldset class="inbox-filters">
      <legend class="hidden">{t('Show')}</legend>
      {INBOX_FILTERS.map((one) => (
        <label key={one} class="inbox-filter">
          <input
            class="hidden"
            type="radio"
            name="inbox-filter"
            checked={filter.value === one}
            onChange={() => (filter.value = one)}
          />
          {FILTER_NAMES[one]}
          <Count count={counts[one]} isImportant={one === 'calls'} />
        </label>
      ))}
    </fieldset>
  )
}

function Nothing({ filter }: { readonly filter: InboxFilter }) {
  if (filter === 'all')
    return (
      <EmptyState icon="check" title={t('You’re all caught up')}>
        <p>{t('New messages appear here.')}</p>
      </EmptyState>
    )
  return (
    <EmptyState icon="check" title={filter === 'calls' ? t('Nothing for you') : t('Nothing new')}>
      <p>
        {filter === 'calls'
          ? t('Direct messages, mentions and followed topics appear here.')
          : t('New messages in topics that you follow appear here.')}
      </p>
    </EmptyState>
  )
}

/** Whether the card is for this user: an owner who is alone. */
function hasFirstSteps({ device, state: { value: state } }: App): boolean {
  if (device.areFirstStepsDismissed.value || state.is_owner !== true) return false
  const people = (state.realm_users ?? []).filter((one) => one.is_active && !one.is_bot)
  return people.length === 1
}

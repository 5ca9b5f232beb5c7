/** Below the head of a search: what narrows it, how much it found, how that is sorted, and whether it is saved. */

import { useApp, useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { nameOf } from '../../store/derived/users.ts'
import type { Narrow, Term } from '../../store/narrows/narrow.ts'
import { term } from '../../store/narrows/narrow.ts'
import { writeSearch } from '../../store/search/write-search.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuItem } from '../../ui/open-menu.tsx'
import { dayText } from '../../ui/times.ts'
import { showError } from '../../ui/toasts.tsx'
import { openDay } from '../conversation/open-day.ts'
import { hasWords, heldNarrow, isSortedByFit, SearchOrder } from '../conversation/search-order.ts'
import { SaveSearch } from './save-search.tsx'
import { t } from '../../texts/texts.ts'
import { Text } from '../../texts/text.tsx'

/** Choices of a chip. */
const CHOICES_MAX = 10
const DAY_MS = 86_400_000

const HAS = [
  ['attachment', t('Has file')],
  ['link', t('Has link')],
  ['image', t('Has picture')],
  ['reaction', t('Has reaction')],
] as const

const DAYS = [
  [0, t('Since today')],
  [7, t('Since a week ago')],
  [30, t('Since a month ago')],
  [91, t('Since three months ago')],
] as const

export function SearchStrip({ narrow }: { readonly narrow: Narrow }) {
  const app = useApp()
  return (
    <div class="search-strip">
      <div class="search-chips">
        <Chips narrow={narrow} />
        {!app.isVisitor && <SaveSearch narrow={narrow} />}
      </div>
      {!isSortedByFit(app, narrow) && <Found narrow={narrow} />}
      {hasWords(narrow) && <Order />}
    </div>
  )
}

/** The newest match is at the end of the list, the best one at its start. */
function Order() {
  const { isByFit } = useApp().part(SearchOrder)
  const choice = (byFit: boolean, text: string) => (
    <button
      class="filter-chip"
      aria-pressed={isByFit.value === byFit}
      onClick={() => (isByFit.value = byFit)}
    >
      {text}
    </button>
  )
  return (
    <div class="search-order" role="group" aria-labelledby="search-order">
      <span id="search-order">{t('Sort by')}</span>
      {choice(false, t('Newest'))}
      {choice(true, t('Best match'))}
    </div>
  )
}

function Chips({ narrow }: { readonly narrow: Narrow }) {
  const app = useApp()
  const state = useState()
  const shown = isSortedByFit(app, narrow) ? heldNarrow(narrow) : narrow
  const { messages } = app.messages.window(shown).value
  const has = (...operators: Term['operator'][]) =>
    narrow.some(({ operator }) => operators.includes(operator))
  const add = (one: Term) => app.router.go({ view: 'narrow', narrow: [one, ...narrow] })
  const senders = () =>
    [...new Set([app.ownId, ...messages.toReversed().map(({ sender_id }) => sender_id)])]
      .slice(0, CHOICES_MAX)
      .map(
        (id): MenuItem => ({
          text: id === app.ownId ? t('You') : nameOf(state, id),
          onChoose: () => add(term('sender', id)),
        }),
      )
  const channels = () =>
    [...new Set(messages.toReversed().flatMap(({ stream_id: id }) => id ?? []))].slice(0, CHOICES_MAX).map(
      (id): MenuItem => ({
        text: `#${channelsById(state).get(id)?.channel.name ?? id}`,
        onChoose: () => add(term('channel', id)),
      }),
    )
  const days = () =>
    DAYS.map(
      ([ago, text]): MenuItem => ({
        text,
        onChoose: () =>
          void openDay(app, narrow, dayText(new Date(Date.now() - ago * DAY_MS))).catch(showError),
      }),
    )
  const kinds = () => HAS.map(([kind, text]): MenuItem => ({ text, onChoose: () => add(term('has', kind)) }))
  return (
    <>
      {narrow
        .filter(({ operator }) => operator !== 'search')
        .map((one) => (
          <Chosen key={`${one.operator} ${String(one.operand)}`} one={one} narrow={narrow} />
        ))}
      {!has('sender') && <Choice label={t('From')} text={t('From anyone')} items={senders} />}
      {!has('channel', 'dm') && messages.length > 0 && (
        <Choice label={t('In')} text={t('In any channel')} items={channels} />
      )}
      <Choice label={t('Date')} text={t('Any date')} items={days} />
      {!has('has') && <Choice label={t('Has')} text={t('Has file, link, picture')} items={kinds} />}
    </>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly text: string
  readonly items: () => readonly MenuItem[]
}

function Choice({ label, text, items }: ChoiceProps) {
  return (
    <Menu label={`${label}: ${text}`} class="filter-chip" items={items}>
      {text}
      <Icon name="down" />
    </Menu>
  )
}

/** A part of the search, which can be taken out. */
function Chosen({ one, narrow }: { readonly one: Term; readonly narrow: Narrow }) {
  const { router } = useApp()
  const text = writeSearch(useState(), [one])
  return (
    <a
      class="filter-chip on"
      href={router.hrefOf({ view: 'narrow', narrow: narrow.filter((other) => other !== one) })}
      aria-label={t('Remove {text}', { text })}
    >
      <bdi>{text}</bdi>
      <Icon name="close" />
    </a>
  )
}

/** How much was found: as far as it is loaded, since no search counts what it does not show. */
function Found({ narrow }: { readonly narrow: Narrow }) {
  const { messages, hasOldest, hasNewest } = useApp().messages.window(narrow).value
  if (messages.length === 0) return null
  const topics = new Set(
    messages.map(({ stream_id: id, subject, display_recipient: people }) =>
      id === undefined ? JSON.stringify(people) : `${id} ${subject}`,
    ),
  )
  const isAll = hasOldest && hasNewest
  return (
    <p class="search-found" role="status">
      <Text
        of="<0>{messages, plural, one {# message} other {# messages}}</0> in {places, plural, one {# conversation} other {# conversations}}{isAll, select, yes {} other {, and more}}"
        values={{ messages: messages.length, places: topics.size, isAll: isAll ? 'yes' : 'no' }}
        parts={[<b />]}
      />
    </p>
  )
}

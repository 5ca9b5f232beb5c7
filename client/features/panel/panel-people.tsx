/** The people of a channel: those here now first, with the local time of people in other time zones. */

import { useSignal } from '@preact/signals'
import type { User } from '../../../packages/client/src/wire-types.ts'
import { type App, useApp, useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { membersOf } from '../../store/derived/members.ts'
import { presenceOf } from '../../store/derived/users.ts'
import { timeIn } from '../../ui/times.ts'
import { PersonRow } from '../people/person-row.tsx'
import { locale, t } from '../../texts/texts.ts'

const SHOWN_MAX = 5
/** The settings of the channel have all. */
const ALL_SHOWN_MAX = 30

export function PanelPeople({ channelId }: { readonly channelId: number }) {
  const app = useApp()
  const state = useState()
  const isLong = useSignal(false)
  const count = channelsById(state).get(channelId)?.channel.subscriber_count ?? 0
  const nowSeconds = app.minute.value / 1000
  const members = Object.values(
    Object.groupBy(membersOf(state, channelId), ({ user_id }) =>
      RANKS.indexOf(presenceOf(state, user_id, nowSeconds)),
    ),
  ).flatMap((group) => group ?? [])
  const shown = members.slice(0, isLong.value ? ALL_SHOWN_MAX : SHOWN_MAX)
  const left = members.length - shown.length
  return (
    <section aria-labelledby="panel-people">
      <h4 id="panel-people">
        {t('People')} <span class="count">{count.toLocaleString(locale)}</span>
      </h4>
      <ul>
        {shown.map((user) => (
          <PersonRow key={user.user_id} user={user} note={whereabouts(app, user)} />
        ))}
      </ul>
      {left > 0 && !isLong.value && (
        <button class="row more" onClick={() => (isLong.value = true)}>
          {t('{count} more', { count: left })}
        </button>
      )}
      {left > 0 && isLong.value && (
        <a class="row more" href={`#channels/${channelId}`}>
          {t('All members')}
        </a>
      )}
    </section>
  )
}

const RANKS = ['active', 'idle', 'offline'] as const

/** "17:48 in Osaka" for people in another time than the user; nothing for bots. */
function whereabouts({ minute }: App, { timezone: zone, is_bot: isBot }: User): string | undefined {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const time = timeIn(zone, minute.value)
  if (isBot || time === '' || time === timeIn(here, minute.value)) return undefined
  const city = zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')
  return t('{time} in {city}', { time, city })
}

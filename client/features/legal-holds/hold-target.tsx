/** The extent of a legal hold: everything, or people and channels by their names. */

import { useSignal } from '@preact/signals'
import { useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { nameOf, usersById } from '../../store/derived/users.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Face } from '../people/face.tsx'
import type { Hold } from './use-holds.ts'
import { t } from '../../texts/texts.ts'

/** Names that are shown at once: a hold may have 2,000. */
const SHOWN_MAX = 12

type Target = Pick<Hold, 'whole_organization' | 'user_ids' | 'stream_ids'>

export function HoldTarget({ target }: { readonly target: Target }) {
  const state = useState()
  const isWhole = useSignal(false)
  if (target.whole_organization)
    return (
      <ul class="hold-target">
        <li>
          <Icon name="people" /> {t('The whole organization')}
        </li>
      </ul>
    )
  const people = usersById(state)
  const channels = channelsById(state)
  const names = [
    ...target.user_ids.map((id) => {
      const name = nameOf(state, id)
      const picture = people.get(id)?.avatar_url ?? null
      return { key: `u${id}`, name, mark: <Face userId={id} name={name} picture={picture} size="small" /> }
    }),
    ...target.stream_ids.map((id) => ({
      key: `c${id}`,
      name: channels.get(id)?.channel.name ?? t('Deleted channel'),
      mark: <ChannelMark channelId={id} />,
    })),
  ]
  const shown = isWhole.value ? names : names.slice(0, SHOWN_MAX)
  return (
    <ul class="hold-target">
      {shown.map(({ key, name, mark }) => (
        <li key={key}>
          {mark} <bdi>{name}</bdi>
        </li>
      ))}
      {shown.length < names.length && (
        <li>
          <button class="link" onClick={() => (isWhole.value = true)}>
            {t('{count} more', { count: names.length - shown.length })}
          </button>
        </li>
      )}
    </ul>
  )
}

/** The small mark in a channel's colour. */

import { useComputed } from '@preact/signals'
import { useApp } from '../app/app.ts'
import { channelsById } from '../store/derived/channels.ts'
import { Icon } from './icon.tsx'

/** Channels without a subscription have no colour. */
const NO_COLOR = 'var(--line-strong)'

export function ChannelMark({ channelId }: { readonly channelId: number }) {
  const { state } = useApp()
  const seen = useComputed(() => channelsById(state.value).get(channelId)).value
  const color = seen?.subscription?.color ?? NO_COLOR
  if (seen?.channel.invite_only)
    return (
      <span class="mark-lock" style={{ '--channel': color }}>
        <Icon name="lock" />
      </span>
    )
  return <i class="mark" style={{ '--channel': color }} />
}

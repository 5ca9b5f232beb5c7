/** The sign of a channel, in its colour: a lock if it is private. */

import { useComputed } from '@preact/signals'
import { useApp } from '../app/app.ts'
import { channelsById } from '../store/derived/channels.ts'
import { Drawing, iconPath } from './icon.tsx'

export function ChannelMark({ channelId }: { readonly channelId: number }) {
  const { state } = useApp()
  const seen = useComputed(() => channelsById(state.value).get(channelId)).value
  // Channels without a subscription have no colour.
  const color = seen?.subscription?.color
  return (
    <Drawing
      path={iconPath(seen?.channel.invite_only ? 'lock' : 'hash')}
      class=" mark"
      style={color === undefined ? undefined : { '--channel': color }}
    />
  )
}

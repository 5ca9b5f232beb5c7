/** Picks channels by their names, also archived ones. */

import { useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { NamePicker } from '../../ui/name-picker.tsx'
import { t } from '../../texts/texts.ts'

interface ChannelPickerProps {
  readonly label: string
  readonly chosen: readonly number[]
  readonly onChange: (channelIds: readonly number[]) => void
}

export function ChannelPicker({ label, chosen, onChange }: ChannelPickerProps) {
  const channels = channelsById(useState())
  return (
    <NamePicker
      label={label}
      placeholder={t('Type a name')}
      noneText={t('No channel found')}
      chips={chosen.map((channelId) => ({
        key: String(channelId),
        name: `#${channels.get(channelId)?.channel.name ?? t('Deleted channel')}`,
        remove: () => onChange(chosen.filter((one) => one !== channelId)),
      }))}
      findOffers={(text) => {
        const sought = text.toLocaleLowerCase()
        return [...channels.values()]
          .map(({ channel }) => channel)
          .filter((one) => one.name.toLocaleLowerCase().includes(sought) && !chosen.includes(one.stream_id))
          .sort((one, other) => one.name.localeCompare(other.name))
          .map((one) => ({
            key: String(one.stream_id),
            name: one.name,
            mark: <ChannelMark channelId={one.stream_id} />,
            ...(one.is_archived ? { about: t('Archived') } : {}),
            add: () => onChange([...chosen, one.stream_id]),
          }))
      }}
    />
  )
}

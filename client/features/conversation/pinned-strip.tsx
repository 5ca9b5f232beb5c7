/** Below the head of a channel: the newest pin in one line, and how many others there are; before, what a topic is. */

import { useApp, useState } from '../../app/app.ts'
import { pinsOf } from '../../store/derived/pins.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { Icon } from '../../ui/icon.tsx'
import { PinLink } from '../panel/pin-link.tsx'
import { t } from '../../texts/texts.ts'
import { TopicTour, wantsTopicTour } from './topic-tour.tsx'

export function PinnedStrip({ narrow }: { readonly narrow: Narrow }) {
  const app = useApp()
  const state = useState()
  const [channel] = narrow
  if (channel?.operator !== 'channel' || typeof channel.operand !== 'number') return null
  if (wantsTopicTour(app)) return <TopicTour />
  const pins = pinsOf(state, channel.operand)
  const newest = pins.at(-1)
  if (!newest) return null
  return (
    <aside class="strip" aria-label={t('Pinned')}>
      <Icon name="pin" />
      <PinLink class="cut" channelId={channel.operand} pin={newest} />
      {pins.length > 1 && (
        <button class="ghost words" onClick={() => (app.device.panelIsOpen.value = true)}>
          {t('{count} more', { count: pins.length - 1 })}
        </button>
      )}
    </aside>
  )
}

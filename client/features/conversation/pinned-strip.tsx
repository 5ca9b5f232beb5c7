/** The newest pin of a channel in one line below its head, and how many others there are. */

import { useApp, useState } from '../../app/app.ts'
import { pinsOf } from '../../store/derived/pins.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { Icon } from '../../ui/icon.tsx'
import { PinLink } from '../panel/pin-link.tsx'
import { t } from '../../texts/texts.ts'

export function PinnedStrip({ narrow }: { readonly narrow: Narrow }) {
  const { device } = useApp()
  const state = useState()
  const [channel] = narrow
  if (channel?.operator !== 'channel' || typeof channel.operand !== 'number') return null
  const pins = pinsOf(state, channel.operand)
  const newest = pins.at(-1)
  if (!newest) return null
  return (
    <aside class="strip" aria-label={t('Pinned')}>
      <Icon name="pin" />
      <PinLink class="cut" channelId={channel.operand} pin={newest} />
      {pins.length > 1 && (
        <button class="ghost words" onClick={() => (device.panelIsOpen.value = true)}>
          {t('{count} more', { count: pins.length - 1 })}
        </button>
      )}
    </aside>
  )
}

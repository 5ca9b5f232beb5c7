/** The pins of a channel, the newest first; people who may pin take them off here, too. */

import { useApp, useState } from '../../app/app.ts'
import { mayPin } from '../../store/derived/permissions.ts'
import { pinsOf } from '../../store/derived/pins.ts'
import { Icon } from '../../ui/icon.tsx'
import { showError } from '../../ui/toasts.tsx'
import { type Pin, PinLink } from './pin-link.tsx'
import { t } from '../../texts/texts.ts'

export function PanelPins({ channelId }: { readonly channelId: number }) {
  const { api } = useApp()
  const state = useState()
  const pins = pinsOf(state, channelId)
  if (pins.length === 0) return null
  const unpin = ({ id }: Pin) => api.call('DELETE /pins/{pin_id}', { pin_id: id }).catch(showError)
  return (
    <section aria-labelledby="panel-pins">
      <h4 id="panel-pins">{t('Pinned')}</h4>
      <ul>
        {pins.toReversed().map((pin) => (
          <li key={pin.id} class="pin-row">
            <PinLink class="pin" channelId={channelId} pin={pin} showsSender />
            {mayPin(state, channelId) && (
              <button
                class="ghost"
                title={t('Unpin')}
                aria-label={t('Unpin')}
                onClick={() => void unpin(pin)}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Chooses the people of a direct conversation. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { ofDirect } from '../../store/narrows/narrow.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { PeoplePicker } from '../people/people-picker.tsx'
import { t } from '../../texts/texts.ts'

export function NewDirect({ onClose }: { readonly onClose: () => void }) {
  const { router } = useApp()
  const { user_id: ownId = 0 } = useState()
  useEffect(() => document.querySelector<HTMLInputElement>('dialog .picker input')?.focus(), [])
  const chosen = useSignal<readonly number[]>([])
  return (
    <Dialog title={t('New direct message')} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          // The way back leads past the dialog.
          router.replace({ view: 'narrow', narrow: ofDirect(chosen.value) })
        }}
      >
        <PeoplePicker
          label={t('To')}
          chosen={chosen.value}
          without={[ownId]}
          onChange={(userIds) => (chosen.value = userIds)}
        />
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button class="button primary" disabled={chosen.value.length === 0}>
            {t('Write')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

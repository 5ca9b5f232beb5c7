/** A new bot. */

import { useSignal } from '@preact/signals'
import { useApp, useState } from '../../app/app.ts'
import { mayCreateBots } from '../../store/derived/account-permissions.ts'
import { useFormField } from '../../ui/use-form-field.ts'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { KeyShown } from './key-shown.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { ProofDialog, useProof } from './use-proof.tsx'
import { t } from '../../texts/texts.ts'

const FORM = 'new bot'
const TYPES = [
  ['1', t('Reads and writes')],
  ['2', t('Only sends')],
] as const

export function NewBot() {
  const { api } = useApp()
  const state = useState()
  const name = useFormField(FORM, 'name', '')
  const shortName = useFormField(FORM, 'shortName', '')
  const mayRead = mayCreateBots(state, { isWriteOnly: false })
  const type = useSignal<string>(mayRead ? '1' : '2')
  const key = useSignal<string | undefined>(undefined)
  const saving = useSaving()
  const proving = useProof()
  const create = async (event: Event) => {
    event.preventDefault()
    const isMade = await saving.save(() =>
      proving.prove(async (proof) => {
        const { api_key } = await api.call('POST /bots', {
          full_name: name.value.trim(),
          short_name: shortName.value.trim(),
          bot_type: Number(type.value),
          ...proof,
        })
        key.value = api_key
      }),
    )
    if (!isMade) return
    name.value = ''
    shortName.value = ''
  }
  return (
    <section class="settings-part">
      <h2>{t('New bot')}</h2>
      <form class="form" onSubmit={(event) => void create(event)}>
        <div class="setting-grid">
          <TextField label={t('Bot name')} value={name} required />
          <TextField
            label={t('Short name, for its address')}
            value={shortName}
            required
            autoCapitalize="off"
          />
          <SelectField
            label={t('Messages')}
            value={type}
            options={TYPES.filter(([one]) => mayRead || one === '2')}
          />
        </div>
        {key.value !== undefined && <KeyShown apiKey={key.value} />}
        <div class="actions start">
          <button class="button primary">{t('Create bot')}</button>
          <SavedNote saving={saving} />
        </div>
      </form>
      <ProofDialog proving={proving} />
    </section>
  )
}

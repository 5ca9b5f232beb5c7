/** Changes the own email address: the link of a mail to the new one confirms it. */

import { useSignal } from '@preact/signals'
import { useState } from '../../app/app.ts'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useOwnSettings } from './use-own-settings.ts'
import { TextField } from '../../ui/fields.tsx'
import { t } from '../../texts/texts.ts'

export function AddressChange() {
  const state = useState()
  const { change } = useOwnSettings()
  const typed = useSignal<string | undefined>(undefined)
  const password = useSignal('')
  const saving = useSaving()
  const mayChange = state.is_admin || !state.realm_email_changes_disabled
  const submit = async (event: Event) => {
    event.preventDefault()
    const email = typed.value?.trim() ?? ''
    if (!(await saving.save(() => change({ email, old_password: password.value })))) return
    typed.value = undefined
    password.value = ''
    showToast(t('Check your email: we sent a confirmation link to {email}', { email }))
  }
  return (
    <section class="settings-part">
      <h2>{t('Email address')}</h2>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <div class="field">
          <label for="own-address">{t('Address')}</label>
          <input
            id="own-address"
            type="email"
            autoComplete="email"
            required
            disabled={!mayChange}
            value={typed.value ?? state.delivery_email ?? ''}
            onInput={(event) => (typed.value = event.currentTarget.value)}
          />
          {!mayChange && <small>{t('Only administrators can change email addresses.')}</small>}
        </div>
        {mayChange && (
          <>
            <TextField
              label={t('Your password')}
              value={password}
              type="password"
              autoComplete="current-password"
              hint={t('Leave empty if you log in without a password.')}
            />
            <div class="actions start">
              <button class="button" disabled={typed.value === undefined}>
                {t('Change address')}
              </button>
              <SavedNote saving={saving} />
            </div>
          </>
        )}
      </form>
    </section>
  )
}

/** Changes the own password. */

import { type Signal, useSignal } from '@preact/signals'
import { useState } from '../../app/app.ts'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { useOwnSettings } from './use-own-settings.ts'
import { t } from '../../texts/texts.ts'

export function PasswordChange() {
  const state = useState()
  const { change } = useOwnSettings()
  const former = useSignal('')
  const next = useSignal('')
  const endsKeys = useSignal(true)
  const saving = useSaving()
  const submit = async (event: Event) => {
    event.preventDefault()
    const isSaved = await saving.save(() =>
      change({
        old_password: former.value,
        new_password: next.value,
        keep_api_keys: !endsKeys.value,
      }),
    )
    if (!isSaved) return
    former.value = ''
    next.value = ''
  }
  return (
    <section class="settings-part">
      <h2>{t('Password')}</h2>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <input
          type="email"
          class="hidden"
          autoComplete="username"
          value={state.delivery_email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <PasswordField
          id="former-password"
          label={t('Current password')}
          hint={t('Leave empty if you don’t have one yet and have just logged in.')}
          autoComplete="current-password"
          value={former}
        />
        <PasswordField
          id="next-password"
          label={t('New password')}
          hint={t('At least {count} characters. You’ll be logged out of other browsers.', {
            count: state.password_min_length ?? 0,
          })}
          autoComplete="new-password"
          required
          value={next}
        />
        <EndKeys isOn={endsKeys} />
        <div class="actions start">
          <button class="button">{t('Change password')}</button>
          <SavedNote saving={saving} />
        </div>
      </form>
    </section>
  )
}

interface PasswordFieldProps {
  readonly id: string
  readonly label: string
  readonly hint: string
  readonly autoComplete: 'current-password' | 'new-password'
  readonly required?: boolean
  readonly value: Signal<string>
}

function PasswordField({ id, label, hint, value, ...rest }: PasswordFieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...rest}
        id={id}
        type="password"
        aria-describedby={`${id}-hint`}
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
      <small id={`${id}-hint`}>{hint}</small>
    </div>
  )
}

function EndKeys({ isOn }: { readonly isOn: Signal<boolean> }) {
  return (
    <div class="setting toggle">
      <input
        id="end-keys"
        type="checkbox"
        checked={isOn.value}
        aria-describedby="end-keys-hint"
        onChange={(event) => (isOn.value = event.currentTarget.checked)}
      />
      <div>
        <label for="end-keys">{t('Also log out phones and programs')}</label>
        <small id="end-keys-hint">
          {t('Ends your API keys. Leave this on if someone else may know your password.')}
        </small>
      </div>
    </div>
  )
}

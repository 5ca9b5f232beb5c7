/** Changes the own password. */

import { type Signal, useSignal } from '@preact/signals'
import { useState } from '../../app/app.ts'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { useOwnSettings } from './use-own-settings.ts'

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
      <h2>Password</h2>
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
        <div class="field">
          <label for="former-password">Current password</label>
          <input
            id="former-password"
            type="password"
            autoComplete="current-password"
            aria-describedby="former-password-hint"
            value={former.value}
            onInput={(event) => (former.value = event.currentTarget.value)}
          />
          <small id="former-password-hint">
            Leave empty if you don’t have one yet and have just logged in.
          </small>
        </div>
        <div class="field">
          <label for="next-password">New password</label>
          <input
            id="next-password"
            type="password"
            autoComplete="new-password"
            required
            value={next.value}
            onInput={(event) => (next.value = event.currentTarget.value)}
          />
          <small>
            At least {state.password_min_length} characters. You’ll be logged out of other browsers.
          </small>
        </div>
        <EndKeys isOn={endsKeys} />
        <div class="actions start">
          <button class="button">Change password</button>
          <SavedNote saving={saving} />
        </div>
      </form>
    </section>
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
        <label for="end-keys">Also log out phones and programs</label>
        <small id="end-keys-hint">
          Ends your API keys. Leave this on if someone else may know your password.
        </small>
      </div>
    </div>
  )
}

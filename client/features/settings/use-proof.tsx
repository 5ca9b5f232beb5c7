/** Asks for the password before a change that a browser which was left open must not make, if the server wants it. */

import { type Signal, useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { ApiError } from '../../../packages/client/src/index.ts'
import { useApp, useState } from '../../app/app.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { t } from '../../texts/texts.ts'

/** The parameters of a proof. */
interface Proof {
  readonly password?: string
  readonly otp_token?: string
}
type Change = (proof: Proof) => Promise<unknown>

interface Asked {
  readonly change: Change
  readonly onDone: () => void
  readonly onCancel: () => void
}

interface Proving {
  /** Makes a change, with a proof if it needs one; rejects with the refusal if the person gives none. */
  readonly prove: (change: Change) => Promise<void>
  /** For `ProofDialog`. */
  readonly asked: Signal<Asked | undefined>
}

export function useProof(): Proving {
  const asked = useSignal<Asked | undefined>(undefined)
  const prove = async (change: Change) => {
    try {
      await change({})
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'RECENT_LOGIN_REQUIRED') throw error
      await new Promise<void>((onDone, reject) => {
        asked.value = { change, onDone, onCancel: () => reject(error) }
      }).finally(() => (asked.value = undefined))
    }
  }
  return { prove, asked }
}

/** The question for the password and, with an authenticator app, a code; nothing until it is asked. */
export function ProofDialog({ proving }: { readonly proving: Proving }) {
  const asked = proving.asked.value
  return asked ? <Question asked={asked} /> : null
}

function Question({ asked }: { readonly asked: Asked }) {
  const { api } = useApp()
  const state = useState()
  const factors = useLoaded(() => api.call('GET /users/me/two_factor'))
  const password = useSignal('')
  const code = useSignal('')
  const saving = useSaving()
  const id = useId()
  const submit = async (event: Event) => {
    event.preventDefault()
    const proof = { password: password.value, ...(code.value === '' ? {} : { otp_token: code.value }) }
    if (await saving.save(() => asked.change(proof))) asked.onDone()
  }
  return (
    <Dialog title={t('Confirm it’s you')} onClose={asked.onCancel}>
      <p>
        {t(
          'An API key lasts longer than your log-in. If you don’t have a password, log out and back in instead.',
        )}
      </p>
      <form class="stack" onSubmit={(event) => void submit(event)}>
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
          <label for={`${id}-password`}>{t('Your password')}</label>
          <input
            id={`${id}-password`}
            type="password"
            autoComplete="current-password"
            required
            value={password.value}
            onInput={(event) => (password.value = event.currentTarget.value)}
          />
        </div>
        {factors.value?.totp_enabled && (
          <div class="field">
            <label for={`${id}-code`}>{t('Code from your authenticator app, or a recovery code')}</label>
            <input
              id={`${id}-code`}
              autoComplete="one-time-code"
              required
              value={code.value}
              onInput={(event) => (code.value = event.currentTarget.value)}
            />
          </div>
        )}
        <div class="actions">
          <SavedNote saving={saving} />
          <button type="button" class="button" onClick={asked.onCancel}>
            {t('Cancel')}
          </button>
          <button class="button primary" disabled={saving.state.value.phase === 'saving'}>
            {t('Confirm')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

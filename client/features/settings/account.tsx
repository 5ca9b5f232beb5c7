/** The account: address, password, second factors, API key, and its end. */

import { useSignal } from '@preact/signals'
import { useApp, useState } from '../../app/app.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { AddressChange } from './address-change.tsx'
import { KeyShown } from './key-shown.tsx'
import { OwnData } from './own-data.tsx'
import { PasswordChange } from './password-change.tsx'
import { ProofDialog, useProof } from './use-proof.tsx'
import { t } from '../../texts/texts.ts'

const ProgramKeys = lazy(async () => (await import('./program-keys.tsx')).ProgramKeys)

export function Account() {
  const state = useState()
  return (
    <>
      <AddressChange />
      {state.realm_password_auth_enabled !== false && <PasswordChange />}
      <section class="settings-part">
        <h2>{t('Two-step log-in')}</h2>
        <p class="quiet-text">
          {t('An authenticator app or a passkey protects your account even if someone learns your password.')}
        </p>
        <div class="actions start">
          <a class="button" href="/accounts/security">
            {t('Passkeys and authenticator app')}
          </a>
        </div>
      </section>
      <OwnKey />
      <ProgramKeys open={['read', 'messages', 'channel']} />
      <OwnData />
      <Deactivate />
    </>
  )
}

function OwnKey() {
  const { api } = useApp()
  const key = useSignal<string | undefined>(undefined)
  const isAsking = useSignal(false)
  const saving = useSaving()
  const proving = useProof()
  const make = () =>
    saving.save(() =>
      proving.prove(async (proof) => {
        const { api_key } = await api.call('POST /users/me/api_key/regenerate', proof)
        key.value = api_key
      }),
    )
  return (
    <section class="settings-part">
      <h2>{t('API key')}</h2>
      <p class="quiet-text">
        {t(
          'Phones and programs use API keys to act for you. The server can’t show your key again. A new one replaces all earlier ones.',
        )}
      </p>
      {key.value !== undefined && <KeyShown apiKey={key.value} />}
      <div class="actions start">
        <button class="button" onClick={() => (isAsking.value = true)}>
          {t('Create new key')}
        </button>
        <SavedNote saving={saving} />
      </div>
      <ProofDialog proving={proving} />
      {isAsking.value && (
        <Confirm
          title={t('Create a new API key?')}
          action={t('Create new key')}
          // The next step may ask in a dialog of its own.
          onConfirm={async () => void make()}
          onClose={() => (isAsking.value = false)}
        >
          <p>
            {t('Programs and apps that use the old key will be logged out, and so will your other devices.')}
          </p>
        </Confirm>
      )}
    </section>
  )
}

function Deactivate() {
  const { api } = useApp()
  const isAsking = useSignal(false)
  const saving = useSaving()
  const deactivate = async () => {
    await api.call('DELETE /users/me')
    location.assign('/')
  }
  return (
    <section class="settings-part">
      <h2>{t('Deactivate account')}</h2>
      <p class="quiet-text">
        {t(
          'You’ll be logged out everywhere, and your API keys end. Your messages stay. An administrator can reactivate your account.',
        )}
      </p>
      <div class="actions start">
        <button class="button danger" onClick={() => (isAsking.value = true)}>
          {t('Deactivate my account')}
        </button>
        <SavedNote saving={saving} />
      </div>
      {isAsking.value && (
        <Confirm
          title={t('Deactivate your account?')}
          action={t('Deactivate')}
          onConfirm={deactivate}
          onClose={() => (isAsking.value = false)}
        />
      )}
    </section>
  )
}

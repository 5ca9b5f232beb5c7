/** Ends sessions of an account, removes its second factors, deactivates it, and brings it back. */

import { needsOwner } from '../../../packages/rules/accounts.ts'
import { type Signal, useSignal } from '@preact/signals'
import type { User } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { selfOf } from '../../store/derived/judged.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { showToast, showError } from '../../ui/toasts.tsx'
import { t } from '../../texts/texts.ts'

type Asked = 'sessions' | 'factors' | 'deactivate' | undefined

export function AccountActions({ user }: { readonly user: User }) {
  const { api } = useApp()
  const state = useState()
  const asked = useSignal<Asked>(undefined)
  const { user_id: id, full_name: name } = user
  const isOwn = id === state.user_id
  if (needsOwner(selfOf(state), user))
    return <p class="quiet-text">{t('Only owners can manage an owner’s account.')}</p>
  const reactivate = () =>
    api
      .call('POST /users/{user_id}/reactivate', { user_id: id })
      .then(() => showToast(t('{name} reactivated', { name })), showError)
  return (
    <section class="settings-part" aria-labelledby="account">
      <h2 id="account">{t('Account')}</h2>
      <div class="actions start">
        {user.is_active && !user.is_bot && (
          <button class="button" onClick={() => (asked.value = 'sessions')}>
            {t('Log out everywhere')}
          </button>
        )}
        {user.is_active && !user.is_bot && !isOwn && (
          <button class="button" onClick={() => (asked.value = 'factors')}>
            {t('Remove second factors')}
          </button>
        )}
        {user.is_active && !isOwn && (
          <button class="button danger" onClick={() => (asked.value = 'deactivate')}>
            {t('Deactivate')}
          </button>
        )}
        {!user.is_active && (
          <button class="button primary" onClick={() => void reactivate()}>
            {t('Reactivate')}
          </button>
        )}
      </div>
      {!user.is_active && (
        <p class="quiet-text">
          {t(
            'The account returns as it was, with its messages, channels and role. API keys have ended: people log in again, and a bot needs a new key from its owner. A person’s bots stay deactivated.',
          )}
        </p>
      )}
      <AskedAction user={user} asked={asked} />
    </section>
  )
}

/** Asks before an action that cannot be undone at once. */
function AskedAction({ user, asked }: { readonly user: User; readonly asked: Signal<Asked> }) {
  const { api } = useApp()
  const { user_id: id, full_name: name } = user
  const close = () => (asked.value = undefined)
  switch (asked.value) {
    case undefined:
      return null
    case 'sessions':
      return (
        <Confirm
          title={t('Log {name} out everywhere?', { name })}
          action={t('Log out everywhere')}
          onConfirm={() => api.call('DELETE /users/{user_id}/sessions', { user_id: id })}
          onClose={close}
        >
          <p>{t('This logs them out of all browsers. They can log in again. API keys stay valid.')}</p>
        </Confirm>
      )
    case 'factors':
      return (
        <Confirm
          title={t('Remove the second factors of {name}?', { name })}
          action={t('Remove second factors')}
          onConfirm={() => api.call('DELETE /users/{user_id}/two_factor', { user_id: id })}
          onClose={close}
        >
          <p>
            {t(
              'For people who lost their devices. This removes their authenticator app, recovery codes and all passkeys, so the password alone is enough to log in. Make sure the request really comes from them.',
            )}
          </p>
        </Confirm>
      )
    case 'deactivate':
      return (
        <Confirm
          title={t('Deactivate {name}?', { name })}
          action={t('Deactivate')}
          onConfirm={() => api.call('DELETE /users/{user_id}', { user_id: id })}
          onClose={close}
        >
          <ul class="bullets">
            <li>{t('They’ll be logged out everywhere, and can’t log in again.')}</li>
            {!user.is_bot && <li>{t('Their API keys, bots and invitations stop working.')}</li>}
            <li>{t('Their messages stay, under their name.')}</li>
            <li>{t('You can reactivate the account later.')}</li>
          </ul>
        </Confirm>
      )
  }
}

/** Ends sessions of an account, removes its second factors, deactivates it, and brings it back. */

import { needsOwner } from '../../../packages/rules/accounts.ts'
import { useSignal } from '@preact/signals'
import type { User } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { selfOf } from '../../store/derived/judged.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { sayDone, sayProblem } from '../../ui/toasts.tsx'

type Asked = 'sessions' | 'factors' | 'deactivate' | undefined

export function AccountActions({ user }: { readonly user: User }) {
  const { api } = useApp()
  const state = useState()
  const asked = useSignal<Asked>(undefined)
  const { user_id: id, full_name: name } = user
  const close = () => (asked.value = undefined)
  const isOwn = id === state.user_id
  if (needsOwner(selfOf(state), user))
    return <p class="quiet-text">Only owners manage the account of an owner.</p>
  const reactivate = () =>
    api
      .call('POST /users/{user_id}/reactivate', { user_id: id })
      .then(() => sayDone(`${name} can log in again.`), sayProblem)
  return (
    <section class="settings-part" aria-labelledby="account">
      <h2 id="account">Account</h2>
      <div class="actions start">
        {user.is_active && !user.is_bot && (
          <button class="button" onClick={() => (asked.value = 'sessions')}>
            Log out everywhere
          </button>
        )}
        {user.is_active && !user.is_bot && !isOwn && (
          <button class="button" onClick={() => (asked.value = 'factors')}>
            Remove second factors
          </button>
        )}
        {user.is_active && !isOwn && (
          <button class="button danger" onClick={() => (asked.value = 'deactivate')}>
            Deactivate
          </button>
        )}
        {!user.is_active && (
          <button class="button primary" onClick={() => void reactivate()}>
            Reactivate
          </button>
        )}
      </div>
      {!user.is_active && (
        <p class="quiet-text">
          A reactivated account is as it was: its messages, channels and role. API keys have ended: people log
          in again, and a bot needs a new key from its owner. The bots of a person stay deactivated.
        </p>
      )}
      {asked.value === 'sessions' && (
        <Confirm
          title={`Log ${name} out everywhere?`}
          action="Log out everywhere"
          onConfirm={() => api.call('DELETE /users/{user_id}/sessions', { user_id: id })}
          onClose={close}
        >
          <p>
            All browsers of this person are logged out at once. They can log in again. API keys stay valid.
          </p>
        </Confirm>
      )}
      {asked.value === 'factors' && (
        <Confirm
          title={`Remove the second factors of ${name}?`}
          action="Remove second factors"
          onConfirm={() => api.call('DELETE /users/{user_id}/two_factor', { user_id: id })}
          onClose={close}
        >
          <p>
            For people who lost their devices: removes the authenticator app, the recovery codes and all
            passkeys. Then the password alone is enough to log in. Make sure that it is really them who ask.
          </p>
        </Confirm>
      )}
      {asked.value === 'deactivate' && (
        <Confirm
          title={`Deactivate ${name}?`}
          action="Deactivate"
          onConfirm={() => api.call('DELETE /users/{user_id}', { user_id: id })}
          onClose={close}
        >
          <ul class="bullets">
            <li>They are logged out everywhere at once, and cannot log in.</li>
            {!user.is_bot && (
              <li>Their API keys, their bots and the invitations that they made stop working.</li>
            )}
            <li>Their messages stay, with their name.</li>
            <li>You can reactivate the account later.</li>
          </ul>
        </Confirm>
      )}
    </section>
  )
}

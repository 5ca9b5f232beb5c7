/** Invites people by mail: each address gets a link of its own. */

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { ApiError } from '../../../packages/client/src/index.ts'
import { useApp } from '../../app/app.ts'
import { clearForm, useFormField } from '../../ui/use-form-field.ts'
import { problemText, showToast } from '../../ui/toasts.tsx'
import { GrantFields, grantParams, useGrants } from './invitation-grants.tsx'
import { t } from '../../texts/texts.ts'

const FORM = 'invitation by email'

export function InviteByMail({ onInvited }: { readonly onInvited: () => void }) {
  const app = useApp()
  const addresses = useFormField(FORM, 'addresses', '')
  const problem = useSignal<unknown>(undefined)
  const isWaiting = useSignal(false)
  const grants = useGrants(FORM)
  const id = useId()
  const invite = async (event: Event) => {
    event.preventDefault()
    isWaiting.value = true
    problem.value = undefined
    try {
      await app.api.call('POST /invites', { invitee_emails: addresses.value, ...grantParams(grants) })
      addresses.value = ''
      clearForm(app, FORM)
      showToast(t('Invitations sent'))
      onInvited()
    } catch (error) {
      problem.value = error
      // Others may have been invited nevertheless.
      onInvited()
    } finally {
      isWaiting.value = false
    }
  }
  return (
    <form class="form" onSubmit={(event) => void invite(event)}>
      <div class="field">
        <label for={id}>{t('Email addresses')}</label>
        <textarea
          id={id}
          rows={3}
          required
          value={addresses.value}
          aria-describedby={problem.value === undefined ? `${id}-hint` : `${id}-hint ${id}-problem`}
          onInput={(event) => (addresses.value = event.currentTarget.value)}
        />
        <small id={`${id}-hint`}>{t('One per line, or separated by commas.')}</small>
        {problem.value !== undefined && <InviteProblem id={`${id}-problem`} error={problem.value} />}
      </div>
      <GrantFields grants={grants} />
      <div class="actions">
        <button class="button primary" disabled={isWaiting.value || addresses.value.trim() === ''}>
          {isWaiting.value ? t('Inviting…') : t('Invite')}
        </button>
      </div>
    </form>
  )
}

/** The problem, with the addresses that it is about. */
function InviteProblem({ id, error }: { readonly id: string; readonly error: unknown }) {
  const fields = error instanceof ApiError ? error.fields : {}
  const problems = Array.isArray(fields.errors) ? (fields.errors as readonly (readonly unknown[])[]) : []
  return (
    <div class="problem" role="alert" id={id}>
      {problemText(error)}
      <ul>
        {problems.map((one) => (
          <li key={String(one[0])} dir="auto">
            {one.slice(0, 2).map(String).join(': ')}
          </li>
        ))}
      </ul>
    </div>
  )
}

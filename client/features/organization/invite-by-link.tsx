/** Makes a link with which anybody can join. */

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useApp } from '../../app/app.ts'
import { clearForm } from '../../ui/use-form-field.ts'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { CopyButton } from './copy-button.tsx'
import { GrantFields, grantParams, useGrants } from './invitation-grants.tsx'
import { t } from '../../texts/texts.ts'

const FORM = 'invitation by link'

export function InviteByLink({ onInvited }: { readonly onInvited: () => void }) {
  const app = useApp()
  const saving = useSaving()
  const link = useSignal('')
  const grants = useGrants(FORM)
  const id = useId()
  const create = async (event: Event) => {
    event.preventDefault()
    await saving.save(async () => {
      const { invite_link } = await app.api.call('POST /invites/multiuse', grantParams(grants))
      // The next invitation should not give a role by mistake.
      clearForm(app, FORM)
      link.value = invite_link
    })
    onInvited()
  }
  return (
    <form class="form" onSubmit={(event) => void create(event)}>
      <GrantFields grants={grants} />
      <div class="actions">
        <SavedNote saving={saving} />
        <button class="button primary">{t('Create link')}</button>
      </div>
      {link.value !== '' && (
        <div class="field">
          <label for={id}>{t('Anyone with this link can join')}</label>
          <div class="with-button">
            <input id={id} readOnly value={link.value} onFocus={(event) => event.currentTarget.select()} />
            <CopyButton link={link.value} />
          </div>
        </div>
      )}
    </form>
  )
}

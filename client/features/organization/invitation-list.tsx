/** The open invitations, with ways to copy, resend and revoke them. */

import { roleName } from '../../../packages/rules/roles.ts'
import { useApp, useState } from '../../app/app.ts'
import { nameOf } from '../../store/derived/users.ts'
import { copyText } from '../../ui/copy-text.ts'
import { showToast, showError } from '../../ui/toasts.tsx'
import { shortTime } from '../../ui/times.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { CopyButton } from './copy-button.tsx'
import type { Invitation, Invitations } from './use-invitations.ts'
import { t } from '../../texts/texts.ts'

export function InvitationList({ invitations }: { readonly invitations: Invitations }) {
  const { list, problem, reload } = invitations
  return (
    <section class="settings-part" aria-labelledby="open-invitations">
      <h2 id="open-invitations">{t('Open invitations')}</h2>
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}{' '}
          <button class="button" onClick={reload}>
            {t('Try again')}
          </button>
        </p>
      )}
      {list.value === undefined && problem.value === '' && <Waiting text={t('Loading invitations…')} />}
      {list.value?.length === 0 && <p class="quiet-text">{t('No open invitations')}</p>}
      <ul>
        {list.value?.map((one) => (
          <InvitationCard key={one.id} invitation={one} onChanged={reload} />
        ))}
      </ul>
    </section>
  )
}

interface InvitationCardProps {
  readonly invitation: Invitation
  readonly onChanged: () => void
}

function InvitationCard({ invitation, onChanged }: InvitationCardProps) {
  const { api, minute } = useApp()
  const state = useState()
  const { id, email, is_multiuse: isLink, link_url: link } = invitation
  const expires = invitation.expiry_date
  const about = [
    t(roleName(invitation.invited_as)),
    t('by {name}', { name: nameOf(state, invitation.invited_by_user_id) }),
    expires === null ? t('never expires') : t('expires {time}', { time: shortTime(expires, minute.value) }),
  ]
  const name = isLink ? t('Invitation link') : (email ?? t('Invitation'))
  const resend = () =>
    api.call('POST /invites/{invite_id}/resend', { invite_id: id }).then(() => {
      showToast(t('Invitation sent to {name} again', { name }))
      onChanged()
    }, showError)
  const copyPersonal = () =>
    api
      .call('POST /invites/{invite_id}/link', { invite_id: id })
      .then(({ invite_link }) => copyText(invite_link, t('Personal link copied')))
      .catch(showError)
  const revoke = () =>
    api
      .call(isLink ? 'DELETE /invites/multiuse/{invite_id}' : 'DELETE /invites/{invite_id}', {
        invite_id: id,
      })
      .then(onChanged, showError)
  return (
    <li class="card">
      <div class="card-text">
        <span class="card-name" dir="auto">
          {name}
        </span>
        <small dir="auto">{about.join(', ')}</small>
      </div>
      {link !== undefined && <CopyButton link={link} />}
      {!isLink && state.is_admin && (
        <button
          class="button small"
          aria-label={t('Copy a personal link for {name}', { name })}
          title={t('Only for this person: hand it over privately')}
          onClick={() => void copyPersonal()}
        >
          {t('Copy link')}
        </button>
      )}
      {!isLink && (
        <button
          class="button small"
          aria-label={t('Resend invitation to {name}', { name })}
          onClick={() => void resend()}
        >
          {t('Resend')}
        </button>
      )}
      <button
        class="button small danger"
        aria-label={t('Revoke: {name}', { name })}
        onClick={() => void revoke()}
      >
        {t('Revoke')}
      </button>
    </li>
  )
}

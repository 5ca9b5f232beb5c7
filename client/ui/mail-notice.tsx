/** Tells administrators when mails do not leave the server, or none has been tried, until one was seen to leave. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ReplyOf } from '../../packages/client/src/client.ts'
import { useApp, useState } from '../app/app.ts'
import { shortTime } from './times.ts'
import { showError, showToast } from './toasts.tsx'
import { t } from '../texts/texts.ts'
import { Text } from '../texts/text.tsx'

type MailState = ReplyOf<'GET /server/mail'>

export function MailNotice() {
  const { api } = useApp()
  const { is_admin: isAdmin } = useState()
  const mail = useSignal<MailState | undefined>(undefined)
  const load = () => api.call('GET /server/mail').then((reply) => (mail.value = reply), showError)
  useEffect(() => {
    if (isAdmin) void load()
  }, [isAdmin])
  if (!mail.value || isWell(mail.value)) return null
  const { is_configured: isConfigured } = mail.value
  const test = () =>
    api.call('POST /server/mail/test').then(() => {
      showToast(t('Test email on its way'), { text: t('Check again'), run: () => void load() })
    }, showError)
  return (
    <div class="note mail-notice" role="status">
      <p>{isConfigured ? <Configured mail={mail.value} /> : <NotConfigured />}</p>
      {isConfigured && (
        <button type="button" class="button small" onClick={() => void test()}>
          {t('Send me a test email')}
        </button>
      )}
      <JoinByWord isConfigured={isConfigured} />
    </div>
  )
}

function Configured({ mail: { failed_at: failedAt, problem } }: { readonly mail: MailState }) {
  const { minute } = useApp()
  if (failedAt === null)
    return (
      <Text
        of="<0>No email has left this server yet.</0> Send yourself one to see that invitations and links for new passwords arrive."
        parts={[<strong />]}
      />
    )
  return (
    <Text
      of="<0>Email fails</0> since {time}: {problem}. Invitations and links for new passwords wait meanwhile."
      values={{ time: shortTime(failedAt, minute.value), problem: problem ?? '' }}
      parts={[<strong />]}
    />
  )
}

function NotConfigured() {
  return (
    <Text
      of="<0>This server sends no email.</0> Invitations and links for new passwords reach no one. The operator of the server sets <1/>."
      parts={[<strong />, <code>MAIL_URL</code>]}
    />
  )
}

/** Without mail nobody can join by a link, unless an owner wants no confirmation. */
function JoinByWord({ isConfigured }: { readonly isConfigured: boolean }) {
  const { api } = useApp()
  const { is_owner: isOwner, realm_join_without_confirmation: isAllowed } = useState()
  if (isConfigured || isAllowed || !isOwner) return null
  const allow = () => api.call('PATCH /realm', { join_without_confirmation: true }).catch(showError)
  return (
    <button type="button" class="button small" onClick={() => void allow()}>
      {t('Let people join without email')}
    </button>
  )
}

function isWell({ is_configured: isConfigured, sent_at: sentAt, failed_at: failedAt }: MailState): boolean {
  return isConfigured && sentAt !== null && (failedAt === null || sentAt > failedAt)
}

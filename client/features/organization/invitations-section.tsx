/** Invitations: by mail and by link, and those that are still open. */

import { useSignal } from '@preact/signals'
import { useState } from '../../app/app.ts'
import { mayInviteByLink, mayInviteByMail } from '../../store/derived/administration.ts'
import { MailNotice } from '../../ui/mail-notice.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteByLink } from './invite-by-link.tsx'
import { InviteByMail } from './invite-by-mail.tsx'
import { useInvitations } from './use-invitations.ts'
import { t } from '../../texts/texts.ts'

type Way = 'mail' | 'link'

export function InvitationsSection() {
  const state = useState()
  const invitations = useInvitations()
  const ways = [
    ...(mayInviteByMail(state) ? [['mail', t('By email')] as const] : []),
    ...(mayInviteByLink(state) ? [['link', t('By link')] as const] : []),
  ]
  const chosen = useSignal<Way | undefined>(undefined)
  const way = chosen.value ?? ways[0]?.[0]
  return (
    <>
      <MailNotice />
      <section class="settings-part" aria-labelledby="invite">
        <div class="page-title">
          <h2 id="invite">{t('Invite people')}</h2>
          {ways.length > 1 && (
            <div class="segments" role="group" aria-label={t('Invite by')}>
              {ways.map(([one, name]) => (
                <button
                  key={one}
                  type="button"
                  class="segment"
                  aria-pressed={way === one}
                  onClick={() => (chosen.value = one)}
                >
                  {name}
                </button>
              ))}
            </div>
          )}
        </div>
        {way === 'mail' && <InviteByMail onInvited={invitations.reload} />}
        {way === 'link' && <InviteByLink onInvited={invitations.reload} />}
      </section>
      <InvitationList invitations={invitations} />
    </>
  )
}

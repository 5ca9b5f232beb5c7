/** The page behind the link of a mail that confirmed an address: there its holder makes the account. */

import { findConfirmed } from '../../changes/invitations/join-by-invitation.ts'
import { hashApiKey } from '../../changes/passwords.ts'
import { html, htmlPage, type PeoplesPage } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'
import { serveAccountForm } from './make-account.ts'
import { links, problem } from './parts.ts'
import { LOG_IN_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/accounts\/join\/([A-Za-z0-9]{1,100})\/?$/

/** Whether a path is such a link. */
export function isConfirmedJoinPath(path: string): boolean {
  return PATH.test(path)
}

/** Shows the form and handles its submission; only that uses the link, since programs open links of mails in advance. */
export const serveConfirmedJoin: ServeForm = async (request, services) => {
  const [, token = ''] = PATH.exec(request.path) ?? []
  const found = await findConfirmed(services, token)
  if (!found) return overPage(request.texts)
  const { email, invitation } = found
  const proof = { kind: 'joining', email, tokenHash: hashApiKey(token) } as const
  return serveAccountForm(request, services, { invitation, proof })
}

function overPage({ t }: PageTexts): PeoplesPage {
  return htmlPage(
    404,
    t('Invitation'),
    html`${problem({ text: t('This link has expired or was replaced. Open your invitation again.') })}
${links([t('Log in'), LOG_IN_PATH])}`,
  )
}

/** The page behind the link of a mail about a new device: it stops such mails, without a log-in. */

import { readAddressSecret } from '../../../db/accounts/signing-secrets.ts'
import { findRecipient, stopLoginMails } from '../../changes/users/stop-login-mails.ts'
import { html, htmlPage } from '../html.ts'
import { done, form, links, problem } from './parts.ts'
import { FRONT_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/accounts\/unsubscribe\/([1-9][0-9]{0,9})\/([A-Za-z0-9]{1,100})\/?$/
const TITLE = 'Emails about new devices'

/** Whether a path is such a link. */
export function isStopMailsPath(path: string): boolean {
  return PATH.test(path)
}

/**
 * Asks, and stops the mails on submission only, since programs open links of mails in advance. Mail programs with a button
 * of their own for this submit at once (RFC 8058).
 */
export const serveStopMails: ServeForm = async ({ method, path }, services) => {
  const [, userId = '', token = ''] = PATH.exec(path) ?? []
  const secret = await readAddressSecret(services.sql)
  const user = findRecipient(services.state, secret, { userId: Number(userId), token })
  if (!user) return UNKNOWN
  if (method !== 'POST') {
    return htmlPage(
      200,
      TITLE,
      html`<p>We email you when a new device logs in to the account of <bdi>${user.fullName}</bdi>. Stop these emails?</p>
${form([], 'Stop these emails')}`,
    )
  }
  await stopLoginMails(services, user)
  return htmlPage(
    200,
    TITLE,
    html`${done('These emails are off.')}
<p>You still get emails about changes to your password, address and second factors. You can turn these emails on again in your settings.</p>
${links(['Back to conversations', FRONT_PATH])}`,
  )
}

const UNKNOWN = htmlPage(
  404,
  TITLE,
  html`${problem({ text: 'This link is not valid any more. You can turn these emails off in your settings.' })}
${links(['Back to conversations', FRONT_PATH])}`,
)

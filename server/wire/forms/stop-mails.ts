/** The pages behind links in mails: they stop mails of that kind, without a log-in. */

import { readAddressSecret } from '../../../db/accounts/signing-secrets.ts'
import { findRecipient, stopMails, type StoppedMails } from '../../changes/users/stop-mails.ts'
import { html, htmlPage } from '../html.ts'
import { done, form, links, problem } from './parts.ts'
import { FRONT_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/accounts\/unsubscribe\/(messages\/)?([1-9][0-9]{0,9})\/([A-Za-z0-9]{1,100})\/?$/
const TITLES: Readonly<Record<StoppedMails, string>> = {
  logins: 'Emails about new devices',
  messages: 'Emails about messages',
}

/** Whether a path is such a link. */
export function isStopMailsPath(path: string): boolean {
  return PATH.test(path)
}

/**
 * Asks, and stops the mails on submission only, since programs open links of mails in advance. Mail programs with a button
 * of their own for this submit at once (RFC 8058).
 */
export const serveStopMails: ServeForm = async ({ method, path }, services) => {
  const [, kind, userId = '', token = ''] = PATH.exec(path) ?? []
  const mails: StoppedMails = kind === undefined ? 'logins' : 'messages'
  const secret = await readAddressSecret(services.sql)
  const user = findRecipient(services.state, secret, { mails, userId: Number(userId), token })
  if (!user) return unknown(TITLES[mails])
  if (method !== 'POST') {
    const name = html`<bdi>${user.fullName}</bdi>`
    const question =
      mails === 'logins'
        ? html`<p>We email you when a new device logs in to the account of ${name}. Stop these emails?</p>`
        : html`<p>We email ${name} about messages that arrive while they are away. Stop these emails?</p>`
    return htmlPage(
      200,
      TITLES[mails],
      html`${question}
${form([], 'Stop these emails')}`,
    )
  }
  await stopMails(services, user, mails)
  const rest =
    mails === 'logins'
      ? 'You still get emails about changes to your password, address and second factors. You can turn these emails on again in your settings.'
      : 'You can turn them on again in your settings.'
  return htmlPage(
    200,
    TITLES[mails],
    html`${done('These emails are off.')}
<p>${rest}</p>
${links(['Back to conversations', FRONT_PATH])}`,
  )
}

const unknown = (title: string) =>
  htmlPage(
    404,
    title,
    html`${problem({ text: 'This link is not valid any more. You can turn these emails off in your settings.' })}
${links(['Back to conversations', FRONT_PATH])}`,
  )

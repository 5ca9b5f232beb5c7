/** The pages behind links in mails: they stop mails of that kind, without a log-in. */

import { readAddressSecret } from '../../../db/accounts/signing-secrets.ts'
import { findRecipient, stopMails, type StoppedMails } from '../../changes/users/stop-mails.ts'
import { html, htmlPage, type PeoplesPage } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'
import { done, form, isolated, links, problem } from './parts.ts'
import { FRONT_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/accounts\/unsubscribe\/(messages\/)?([1-9][0-9]{0,9})\/([A-Za-z0-9]{1,100})\/?$/
/** Whether a path is such a link. */
export function isStopMailsPath(path: string): boolean {
  return PATH.test(path)
}

/**
 * Asks, and stops the mails on submission only, since programs open links of mails in advance. Mail programs with a button
 * of their own for this submit at once (RFC 8058).
 */
export const serveStopMails: ServeForm = async ({ method, path, texts }, services) => {
  const { t, markup } = texts
  const [, kind, userId = '', token = ''] = PATH.exec(path) ?? []
  const mails: StoppedMails = kind === undefined ? 'logins' : 'messages'
  const title = mails === 'logins' ? t('Emails about new devices') : t('Emails about messages')
  const secret = await readAddressSecret(services.sql)
  const user = findRecipient(services.state, secret, { mails, userId: Number(userId), token })
  if (!user) return unknownPage(title, texts)
  if (method !== 'POST') {
    const question = markup(
      mails === 'logins'
        ? 'We email you when a new device logs in to the account of <0>{name}</0>. Stop these emails?'
        : 'We email <0>{name}</0> about messages that arrive while they are away. Stop these emails?',
      { name: user.fullName },
      [isolated],
    )
    return htmlPage(
      200,
      title,
      html`<p>${question}</p>
${form([], t('Stop these emails'))}`,
    )
  }
  await stopMails(services, user, mails)
  const rest =
    mails === 'logins'
      ? t(
          'You still get emails about changes to your password, address and second factors. You can turn these emails on again in your settings.',
        )
      : t('You can turn them on again in your settings.')
  return htmlPage(
    200,
    title,
    html`${done(t('These emails are off.'))}
<p>${rest}</p>
${links([t('Back to conversations'), FRONT_PATH])}`,
  )
}

function unknownPage(title: string, { t }: PageTexts): PeoplesPage {
  const text = t('This link is not valid any more. You can turn these emails off in your settings.')
  return htmlPage(
    404,
    title,
    html`${problem({ text })}
${links([t('Back to conversations'), FRONT_PATH])}`,
  )
}

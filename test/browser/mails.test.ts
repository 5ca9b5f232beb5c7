/** Mails as programs show them that render HTML. */

import t from 'tap'
import { MAIL_LOGO, renderMail } from '../../workers/jobs/mail/mail-layout.ts'
import { mailMarkup } from '../../workers/jobs/mail/mail-markup.ts'
import { mailRefusedMail } from '../../workers/jobs/mail/templates/mail-refused.ts'
import { messagesMail } from '../../workers/jobs/mail/templates/messages.ts'
import { renderMarkdown } from '../../workers/pool/render-markdown.ts'
import { addressChangeMail } from '../../workers/jobs/mail/templates/address.ts'
import { digestMail } from '../../workers/jobs/mail/templates/digest.ts'
import { invitationMail } from '../../workers/jobs/mail/templates/invitation.ts'
import { newDeviceMail } from '../../workers/jobs/mail/templates/new-device.ts'
import { passwordChangedMail } from '../../workers/jobs/mail/templates/password-changed.ts'
import { passwordResetMail } from '../../workers/jobs/mail/templates/password-reset.ts'
import { ALL_TEXTS, ENGLISH, type ServerTexts } from '../../server/texts/texts.ts'
import { timeIn } from '../../workers/jobs/mail/mail-times.ts'
import { startChromium } from '../harness/browser/chromium.ts'
import { findFaults } from './find-faults.ts'

const ACCOUNT = { organization: 'Northwind Labs', name: 'Noor Haddad', email: 'noor@northwind.example' }
const url = `https://chat.northwind.example/join/${'MmOYda5Xl1Mq'.repeat(3)}/`
const at = 1_796_000_000
const MESSAGES = {
  organization: ACCOUNT.organization,
  namesOrganization: false,
  count: 5,
  earlierCount: 2,
  url,
  stopUrl: url,
}
const said = (sender: string, time: string, markdown: string, isContext = false) => ({
  sender,
  time,
  content: mailMarkup(renderMarkdown(markdown), 'https://chat.northwind.example', ENGLISH),
  isContext,
})
const mailsIn = (texts: ServerTexts) => ({
  invitation: invitationMail(texts, { ...ACCOUNT, inviter: 'Sam Weber', url, expiresAt: at }),
  'new-device': newDeviceMail(texts, {
    ...ACCOUNT,
    client: 'Firefox on Linux',
    address: '2001:db8:85a3:8d3:1319:8a2e:370:7348',
    time: timeIn(texts, at),
    url,
    stopUrl: url,
  }),
  'password-reset': passwordResetMail(texts, { ...ACCOUNT, url }),
  'password-changed': passwordChangedMail(texts, {
    ...ACCOUNT,
    way: 'by_link',
    time: timeIn(texts, at),
    url,
  }),
  'address-change': addressChangeMail(texts, { ...ACCOUNT, url }),
  messages: messagesMail(texts, {
    ...MESSAGES,
    isAnswerable: true,
    shown: {
      title: '#field work › Soil samples from the northern slope, second series',
      messages: [
        said('Maren Lindqvist', 'Fri 4:02 PM', 'Does anybody have the results of *last week*?', true),
        said('You', 'Fri 4:10 PM', 'They are in [the folder](/user_uploads/1/results.csv).', true),
        said(
          'Noor Haddad',
          'Fri 5:41 PM',
          '> Does anybody have the results of *last week*?\n\nYes, **all twelve**. Three are odd:\n\n* number 4\n* number 9, see https://chat.northwind.example/very/long/address/that/nobody/reads/to/its/end?series=2&sample=9\n* number 11\n\n```js\nconst odd = samples.filter(({ ph }) => ph > 8.5 && !isRinsed(ph))\n```',
        ),
        said(
          'Sam Weber',
          'Fri 5:43 PM',
          'Thanks! 🎉\n\n| Sample | pH |\n| --- | --- |\n| 4 | 8.7 |\n| 9 | 9.1 |',
        ),
        said(
          'Maren Lindqvist',
          'Fri 6:20 PM',
          '```spoiler Which one is it?\nNumber 9\n```\n\nCan you look at $$x^2$$ again?',
        ),
      ],
    },
  }),
  digest: digestMail(texts, {
    organization: ACCOUNT.organization,
    url,
    stopUrl: url,
    entries: [
      said('#field work › Soil samples from the northern slope', '48 messages from 9 people', '[Open](/a)'),
      said('#general › lunch', '12 messages from 7 people', '[Open](/b)'),
      said('#winter school', 'new channel', '[Open](/c)'),
    ],
  }),
  'messages-hidden': messagesMail(texts, { ...MESSAGES, isAnswerable: false, shown: undefined }),
  'mail-refused': mailRefusedMail(texts, {
    ...ACCOUNT,
    subject: 'Re: #field work › Soil samples',
    reason: 'The conversation no longer exists, or you can no longer read it.',
    url,
  }),
})

const page = await (await (await startChromium(t)).newContext()).newPage()

const mails = ALL_TEXTS.flatMap((texts) =>
  Object.entries(mailsIn(texts)).map(([name, content]) => [name, texts.language, content] as const),
)

for (const [name, language, content] of mails) {
  await t.test(
    `[MAILLOOK1] in every look the mail ${name} fits its window, and axe finds nothing: ${language}`,
    async (t) => {
      const picture = `data:image/png;base64,${MAIL_LOGO.content.toString('base64')}`
      const { html } = renderMail(content)
      t.match(html, `cid:${MAIL_LOGO.cid}`)
      t.match(html, `<html lang="${language}" dir="ltr">`)
      await page.setContent(html.replace(`cid:${MAIL_LOGO.cid}`, picture))
      t.same(await findFaults(page, `mail-${name}-${language}`), [])
    },
  )
}

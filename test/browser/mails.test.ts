/** Mails as programs show them that render HTML. */

import t from 'tap'
import { MAIL_LOGO, renderMail } from '../../workers/jobs/mail/mail-layout.ts'
import { addressChangeMail } from '../../workers/jobs/mail/templates/address.ts'
import { invitationMail } from '../../workers/jobs/mail/templates/invitation.ts'
import { newDeviceMail } from '../../workers/jobs/mail/templates/new-device.ts'
import { passwordChangedMail } from '../../workers/jobs/mail/templates/password-changed.ts'
import { passwordResetMail } from '../../workers/jobs/mail/templates/password-reset.ts'
import { startChromium } from '../harness/browser/chromium.ts'
import { findFaults } from './find-faults.ts'

const ACCOUNT = { organization: 'Northwind Labs', name: 'Noor Haddad', email: 'noor@northwind.example' }
const url = `https://chat.northwind.example/join/${'MmOYda5Xl1Mq'.repeat(3)}/`
const time = '2026-11-28 10:43 UTC'
const MAILS = {
  invitation: invitationMail({ ...ACCOUNT, inviter: 'Sam Weber', url, expiresAt: 1_796_000_000 }),
  'new-device': newDeviceMail({
    ...ACCOUNT,
    client: 'Firefox on Linux',
    address: '2001:db8:85a3:8d3:1319:8a2e:370:7348',
    time,
    url,
    stopUrl: url,
  }),
  'password-reset': passwordResetMail({ ...ACCOUNT, url }),
  'password-changed': passwordChangedMail({ ...ACCOUNT, way: 'by_link', time, url }),
  'address-change': addressChangeMail({ ...ACCOUNT, url }),
}

const page = await (await (await startChromium(t)).newContext()).newPage()

for (const [name, content] of Object.entries(MAILS)) {
  await t.test(
    `[MAILLOOK1] in every look the mail ${name} fits its window, and axe finds nothing`,
    async (t) => {
      const picture = `data:image/png;base64,${MAIL_LOGO.content.toString('base64')}`
      const { html } = renderMail(content)
      t.match(html, `cid:${MAIL_LOGO.cid}`)
      await page.setContent(html.replace(`cid:${MAIL_LOGO.cid}`, picture))
      t.same(await findFaults(page, `mail-${name}`), [])
    },
  )
}

/** The browser client in a busy team: in each state nothing that axe finds, in any theme or size. */

import type { Page } from 'playwright-core'
import t from 'tap'
import type { Person } from '../harness/servers/start-server.ts'
import { CLIENT_LOOKS, type Look } from './client-looks.ts'
import { fillBusy } from './fill-busy.ts'
import { findFaults } from './find-faults.ts'
import { startTeam } from './team.ts'

const team = await startTeam(t, { MAIL_IN_ADDRESS: 'parley+%s@chat.example.com' })
const busy = { ...team, ...(await fillBusy(team.server)) }

/** A page of a person that shows one state after another. */
interface SharedPage {
  readonly page: Page
  /** Whether more than its address makes its state, so that the next one needs a new start. */
  isChanged: boolean
}

const shared = new Map<Person, SharedPage>()

for (const [name, look] of Object.entries(CLIENT_LOOKS)) {
  await t.test(
    `[LOOK1] in every look the state ${name} fits its window, and axe finds nothing`,
    async (ofLook) => {
      const page = look.isApart ? await team.openAs(ofLook, look.person ?? 'member') : await share(look)
      await look.open(page, busy)
      ofLook.same(await findFaults(page, `busy-${name}`, look.part), [])
      if (look.isApart) await page.context().close()
    },
  )
}

async function share({ person = 'member', isAddress = false }: Look): Promise<Page> {
  const former = shared.get(person)
  const page = former?.page ?? (await team.openAs(t, person))
  if (former?.isChanged || (former && !isAddress)) await startAnew(page)
  shared.set(person, { page, isChanged: !isAddress })
  return page
}

async function startAnew(page: Page): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate(() => localStorage.clear())
  await page.goto('/')
  await page.getByRole('main').getByRole('heading').first().waitFor()
}

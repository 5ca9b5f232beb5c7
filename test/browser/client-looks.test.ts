/** The browser client in a busy team: in each state nothing that axe finds, in any theme or size. */

import type { Page } from 'playwright-core'
import t from 'tap'
import type { Person } from '../harness/start-server.ts'
import { CLIENT_LOOKS } from './client-looks.ts'
import { fillBusy } from './fill-busy.ts'
import { findFaults } from './find-faults.ts'
import { startTeam } from './team.ts'

const team = await startTeam(t)
const busy = { ...team, ...(await fillBusy(team.server)) }

/** Pages that show one address after another. */
const pages = new Map<Person, Page>()

for (const [name, { person = 'member', isAddress = false, open }] of Object.entries(CLIENT_LOOKS)) {
  await t.test(
    `[LOOK1] in every look the state ${name} fits its window, and axe finds nothing`,
    async (ofLook) => {
      const page = (isAddress && pages.get(person)) || (await team.openAs(isAddress ? t : ofLook, person))
      if (isAddress) pages.set(person, page)
      await open(page, busy)
      ofLook.same(await findFaults(page, `busy-${name}`), [])
      if (!isAddress) await page.context().close()
    },
  )
}

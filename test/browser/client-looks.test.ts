/** The browser client in a busy team: in each state nothing that axe finds, in any theme or size. */

import t from 'tap'
import { CLIENT_LOOKS } from './client-looks.ts'
import { fillBusy } from './fill-busy.ts'
import { findFaults } from './find-faults.ts'
import { startTeam } from './team.ts'

const team = await startTeam(t)
const busy = { ...team, ...(await fillBusy(team.server)) }

for (const [name, { person = 'member', open }] of Object.entries(CLIENT_LOOKS)) {
  await t.test(
    `[LOOK1] in every look the state ${name} fits its window, and axe finds nothing`,
    async (t) => {
      const page = await team.openAs(t, person)
      await open(page, busy)
      t.same(await findFaults(page, `busy-${name}`), [])
      await page.context().close()
    },
  )
}

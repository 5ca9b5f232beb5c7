/** W15: how long the browser client takes on a slow machine, with an empty cache, until the first message is painted. */

import { percentile } from '../measure/percentile.ts'
import { boundSize } from '../measure/figure.ts'
import type { Work } from '../measure/work.ts'
import { fillBusyOrganization } from '../start/fill-busy-organization.ts'
import { openBrowser, type OpenBrowser } from '../start/open-browser.ts'
import { startParley } from '../start/start-parley.ts'
import { sized } from '../measure/sizes.ts'

/** How many times slower than this machine: about an inexpensive phone. */
const SLOWDOWN = sized(4, 1)
const MS_MAX = 1_000

export const clientLoad: Work = {
  name: 'W15',
  title:
    'cold load of the browser client to its first message, in a busy organization, on a processor slowed 4 times',
  limit: 'one second',
  async run({ createDatabase, rounds, say }) {
    const databaseUrl = await createDatabase()
    const { reader } = await fillBusyOrganization(databaseUrl)
    const parley = await startParley(databaseUrl)
    const browser = await openBrowser(databaseUrl, parley.port, reader)
    try {
      await load(browser) // Fills the caches of the server.
      const samples: number[] = []
      for (let round = 0; round < rounds; round++) {
        samples.push(await load(browser))
        say(`the first message is painted after ${samples.at(-1)} ms`)
      }
      return [
        boundSize(
          'cold load',
          percentile(samples, 0.5),
          { unit: 'ms', max: MS_MAX },
          { longest: Math.max(...samples) },
        ),
      ]
    } finally {
      await browser.close()
      await parley.close()
    }
  },
}

/** Milliseconds from the navigation until a message is painted. */
async function load(browser: OpenBrowser): Promise<number> {
  const { context, page, debug } = await browser.open()
  try {
    await debug.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector('[role=log] [data-id]')) return
        observer.disconnect()
        // The second frame begins after the first is painted.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => Object.assign(globalThis, { paintedMs: performance.now() })),
        )
      })
      observer.observe(document, { childList: true, subtree: true })
    })
    await page.goto('/#narrow/channel/1-engineering/topic/Release.202.2E4')
    const painted = await page.waitForFunction(
      () => Reflect.get(globalThis, 'paintedMs') as number | undefined,
    )
    return Math.round((await painted.jsonValue()) ?? Number.NaN)
  } finally {
    await context.close()
  }
}

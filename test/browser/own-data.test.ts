/** A person downloads an archive of their own data in the settings. */

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import t from 'tap'
import { openFileStore } from '../../server/files/open-file-store.ts'
import { systemClock } from '../../server/domain/clock.ts'
import { makeExports } from '../../workers/jobs/exports/make-exports.ts'
import { openTestSender } from '../harness/worlds/open-test-sender.ts'
import { findFaults } from './find-faults.ts'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
const sender = await openTestSender(t, server)

const partOf = (page: Page) => page.getByRole('region', { name: 'Your data' })

t.test('[OWNDATA1] a person asks for their data, downloads the archive and deletes it', async (t) => {
  const [page, elsewhere] = [await openAs(t, 'member'), await openAs(t, 'member')]
  const [part, partElsewhere] = [partOf(page), partOf(elsewhere)]
  for (const one of [page, elsewhere]) await one.goto('/#settings/account')
  await partElsewhere.getByRole('button', { name: 'Download my data' }).waitFor()
  await part.getByRole('button', { name: 'Download my data' }).click()
  for (const one of [part, partElsewhere]) await one.getByText('Preparing your archive…').waitFor()
  t.equal(await part.getByRole('button', { name: 'Download my data' }).isDisabled(), true)
  await makeExports({
    sql: server.node.services.sql,
    databaseUrl: server.databaseUrl,
    fileStore: await openFileStore(server.config),
    clock: systemClock,
    openSender: async () => sender,
    signal: new AbortController().signal,
    onDone() {},
  })
  const link = part.getByRole('link', { name: 'Download archive' })
  await link.waitFor()
  await partElsewhere.getByRole('link', { name: 'Download archive' }).waitFor()
  t.same(await findFaults(page), [])
  const downloading = page.waitForEvent('download')
  await link.click()
  const download = await downloading
  t.match(download.suggestedFilename(), /^export-\d+\.zip$/)
  const bytes = await readFile(await download.path())
  t.equal(bytes.subarray(0, 2).toString(), 'PK')
  await part.getByRole('button', { name: 'Delete archive' }).click()
  await link.waitFor({ state: 'detached' })
  await partElsewhere.getByRole('link', { name: 'Download archive' }).waitFor({ state: 'detached' })
  await part.getByRole('button', { name: 'Download my data' }).waitFor()
})

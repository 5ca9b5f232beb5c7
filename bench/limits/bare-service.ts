/** The limit of everything that `npm start` starts: bare node with an idle PostgreSQL. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchPostgres } from '../../server/services/launch-postgres.ts'
import { serveCalls } from '../start/remote.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const postgres = await launchPostgres({ dataFolder: folder })

const calls = {
  async isReady(): Promise<boolean> {
    return true
  },

  async stop(): Promise<void> {
    await postgres.close()
    rmSync(folder, { recursive: true, force: true })
  },
}

export type BareService = typeof calls
serveCalls(calls)

/** The types of the client package equal those of the server. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { printWireTypes } from './print-wire-types.ts'

const FILE = join(import.meta.dirname, '../../packages/client/src/wire-types.ts')

t.test('[PACKAGE1] the client package has every operation and event of the server', async (t) => {
  const text = printWireTypes()
  if (process.env.UPDATE_DOCS === '1') writeFileSync(FILE, text)
  t.equal(readFileSync(FILE, 'utf8'), text)
})

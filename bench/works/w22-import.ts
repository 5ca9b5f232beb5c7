/** W22: how fast the export of another product comes over, and the memory that it takes. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boundSize, noteSize } from '../measure/figure.ts'
import { sized } from '../measure/sizes.ts'
import type { Work } from '../measure/work.ts'
import { createPeople } from '../start/create-people.ts'
import { checkImported } from '../start/check-imported.ts'
import { runImport } from '../start/import-process.ts'
import { writeSlackExport } from '../start/slack-export.ts'

const MESSAGES = sized(Number(process.env['PARLEY_BENCH_IMPORT_MESSAGES'] ?? 1_000_000), 2_000)
const MEMORY_MIB_MAX = 256

export const imports: Work = {
  name: 'W22',
  title: `an import of ${MESSAGES.toLocaleString('en')} messages from Slack`,
  limit: `${MEMORY_MIB_MAX} MiB of memory`,
  async run({ createDatabase }) {
    const databaseUrl = await createDatabase()
    await createPeople(databaseUrl, 1)
    const folder = mkdtempSync(join(tmpdir(), 'parley-bench-import-'))
    try {
      const path = join(folder, 'slack.zip')
      writeSlackExport(path, MESSAGES)
      const { seconds, processorSeconds, peakMib, summary } = await runImport(databaseUrl, path, folder)
      if (summary?.messages !== MESSAGES) throw new Error(`${summary?.messages} of ${MESSAGES} came`)
      await checkImported(databaseUrl, MESSAGES)
      return [
        noteSize('imported', Math.round(MESSAGES / seconds), 'messages/s', { seconds, processorSeconds }),
        boundSize('peak memory', Math.round(peakMib), { unit: 'MiB', max: MEMORY_MIB_MAX }),
      ]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

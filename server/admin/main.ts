/** The admin command line: `npm run -s admin -- COMMAND`. `--help` lists the commands. */

import { exitWithReason } from '../run-process.ts'
import { exitCodeOf, runAdmin } from './run-admin.ts'

try {
  process.exitCode = await runAdmin(process.argv.slice(2), process)
} catch (error) {
  exitWithReason(error, exitCodeOf(error))
}

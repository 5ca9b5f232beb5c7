/**
 * An entry for the launcher's tests: prints its arguments and process id as JSON, then does what the first
 * argument names.
 */
import { watchParent } from '../../server/services/watch-parent.ts'

const [verb, ...words] = process.argv.slice(2)
if (verb === 'wait') {
  watchParent(() => process.exit(0))
  process.on('SIGTERM', () => process.exit(7))
}
if (verb === 'wait' || verb === 'wait-deaf') setInterval(() => undefined, 60_000)
if (verb === 'exit') process.exitCode = Number(words[0])
// Last, since a reader may send a signal at once.
console.log(JSON.stringify({ pid: process.pid, words }))

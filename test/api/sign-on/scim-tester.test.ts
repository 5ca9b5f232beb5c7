/** SCIM as a client of other people sees it: `scim2-tester`, where it is installed. */

import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { startScim } from '../../harness/sign-on/scim-client.ts'

const isInstalled = spawnSync('scim2', ['--help']).status === 0
const options = isInstalled ? {} : { skip: 'scim2 is not installed: pip install scim2-cli scim2-tester' }

/** Its random values name the only address of a person one that is not the primary one, which it is. */
function isOnlyAddress(fault: string): boolean {
  const [, patched, returned] = /Patched value: (\[Emails\(.*)\n *Returned value: (.*)\n/.exec(fault) ?? []
  return patched !== undefined && patched.replace('primary=False', 'primary=True') === returned
}

t.test('[SCIM31] scim2-tester finds no fault', options, async (t) => {
  const server = await startTestServer(t)
  const { base, token } = await startScim(server)
  // Other users of the machine would see a token among the arguments.
  const env = {
    PATH: process.env.PATH,
    SCIM_CLI_URL: base,
    SCIM_CLI_HEADERS: `Authorization: Bearer ${token}`,
  }
  const said: { stdout: string; stderr: string } = await promisify(execFile)('scim2', ['test', '--verbose'], {
    env,
  }).catch((error) => error)
  const checks = said.stdout.split(/\n(?=[A-Z]+ \w+\n)/).slice(1)
  t.ok(checks.length > 60, `${checks.length} checks; ${said.stderr}`)
  const faults = checks.filter((check) => /^(?:ERROR|CRITICAL|DEVIATION|SKIPPED) /.test(check))
  t.strictSame(
    faults.filter((check) => !isOnlyAddress(check)),
    [],
  )
})

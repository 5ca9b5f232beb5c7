/**
 * `npm run test:node -- RELEASE [FILE or FOLDER...]`: the tests on another release of Node, such as 24, which npm fetches
 * into its cache. The launcher finds it first on PATH, and installs the packages for it.
 */

import { spawnSync } from 'node:child_process'

const [release = '', ...paths] = process.argv.slice(2)
if (!/^\d+(\.\d+){0,2}$/.test(release)) {
  process.stderr.write('which release of Node? Such as: npm run test:node -- 24 test/api\n')
  process.exit(1)
}
const node = `node-${process.platform}-${process.arch}@${release}`
const { status } = spawnSync(
  'npm',
  ['exec', '--yes', `--package=${node}`, '--', 'npm', 'test', '--', ...paths],
  {
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 1

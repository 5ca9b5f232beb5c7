/** The Node that runs Parley: the present one where it fits. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { fits, versionToFetch } from '../../bin/choose-node.mjs'

t.test('[LAUNCH2] the present Node is used if package.json admits it', async (t) => {
  const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  t.equal(engines.node, '^22.18 || ^24 || ^26')
  const cases: [version: string, isFit: boolean][] = [
    ['20.20.2', false],
    ['22.17.1', false],
    ['22.18.0', true],
    ['22.23.3', true],
    ['23.11.0', false],
    ['24.0.0', true],
    ['25.1.0', false],
    ['26.12.1', true],
    ['27.0.0', false],
  ]
  for (const [version, isFit] of cases) t.equal(fits(version), isFit, version)
})

t.test(
  '[LAUNCH3] Node 24 is fetched where the fast transport has a binary for it, and 22 below that',
  async (t) => {
    for (const glibc of ['2.28', '2.36', '2.37']) t.match(versionToFetch(glibc), /^22\./, glibc)
    for (const glibc of ['2.38', '2.41', '2.100', undefined])
      t.match(versionToFetch(glibc), /^24\./, `${glibc}`)
    for (const glibc of ['2.36', '2.41']) t.ok(fits(versionToFetch(glibc)))
  },
)

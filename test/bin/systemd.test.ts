/** The units of systemd, judged by systemd itself where it is installed. */

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const FILES = [
  join(DEPLOY, 'parley.service'),
  ...readdirSync(join(DEPLOY, 'systemd')).map((name) => join(DEPLOY, 'systemd', name)),
]
const isInstalled = spawnSync('systemd-analyze', ['--version']).status === 0
const options = isInstalled ? {} : { skip: 'systemd-analyze is not installed: apt-get install systemd' }

t.test('[SYSTEMD1] systemd takes the units, and knows each of their settings', options, (t) => {
  const folder = t.testdir()
  // It wants to see the programs.
  const programs = join(folder, 'opt/parley')
  mkdirSync(join(programs, 'bin'), { recursive: true })
  for (const name of ['parley', 'parley.mjs']) {
    writeFileSync(join(programs, 'bin', name), '')
    chmodSync(join(programs, 'bin', name), 0o755)
  }
  /** Its exit, and its words on the units; it also has some on others of this machine. */
  const verify = (change: (text: string) => string) => {
    const units = FILES.map((file) => {
      const unit = join(folder, basename(file))
      writeFileSync(unit, change(readFileSync(file, 'utf8').replaceAll('/opt/parley', programs)))
      return unit
    })
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], {
      encoding: 'utf8',
    })
    return { status, words: stderr.split('\n').filter((line) => /parley[a-z-]*\.service/.test(line)) }
  }
  t.equal(FILES.length, 4)
  t.strictSame(
    verify((text) => text),
    { status: 0, words: [] },
  )
  // A name that it does not know is no error for it.
  const misspelt = verify((text) => text.replace('RestartSec=', 'RestartSecond='))
  t.match(misspelt.words, [/Unknown key .*RestartSecond/, /RestartSecond/, /RestartSecond/])
  const missing = verify((text) => text.replace('parley.mjs web', 'parley.js web'))
  t.strictSame([missing.status, missing.words.length], [1, 1], 'a program that is not there')
  t.end()
})

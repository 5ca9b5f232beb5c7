/** The committed lock is complete: hosts install with `npm ci`, which refuses it otherwise. */

import t from 'tap'
import { findMissing, type LockedPackages, readLock } from './complete-lock.ts'

t.test('[LOCK1] the lock lists the optional packages of every platform', async (t) => {
  const missing = Object.keys(findMissing(readLock().packages))
  t.same(missing, [], 'npm run lock adds them')
})

t.test('[LOCK2] a missing package gets the platform that its name tells', async (t) => {
  const optionalDependencies = {
    '@a/b-linux-x64-musl': '1.0.0',
    '@a/darwin-arm64-22': '2.0.0',
    '@a/b-linuxmusl-arm': '3.0.0',
    'c-win32-ia32': '4.0.0',
    'd-linux-x64': '5.0.0',
    'e-linux-x64': '^6.0.0',
  }
  const packages: LockedPackages = {
    '': {},
    'node_modules/a': { dev: true, optionalDependencies },
    'node_modules/a/node_modules/c-win32-ia32': { version: '4.0.0' },
    'node_modules/d-linux-x64': { version: '5.1.0' },
    'node_modules/e-linux-x64': { version: '6.1.0' },
  }
  t.same(findMissing(packages), {
    'node_modules/@a/b-linux-x64-musl': entry('1.0.0', 'linux', 'x64', 'musl'),
    'node_modules/@a/darwin-arm64-22': entry('2.0.0', 'darwin', 'arm64'),
    'node_modules/@a/b-linuxmusl-arm': entry('3.0.0', 'linux', 'arm', 'musl'),
    // Beside the package that wants it, since another version is in its place.
    'node_modules/a/node_modules/d-linux-x64': entry('5.0.0', 'linux', 'x64'),
  })
  const unknown = { 'node_modules/a': { optionalDependencies: { 'a-fast': '1.0.0' } } }
  t.throws(() => findMissing(unknown), /the platform of a-fast is unknown/)
})

function entry(version: string, os: string, cpu: string, libc?: string) {
  return { version, cpu: [cpu], dev: true, ...(libc ? { libc: [libc] } : {}), optional: true, os: [os] }
}

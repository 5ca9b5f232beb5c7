/**
 * `npm run package [FOLDER]`: a release that runs without git and without a build, in `dist`.
 *
 * - `parley-X.Y.Z.tgz`: for `npx ./parley-X.Y.Z.tgz` and `npm install --global`
 * - `parley-X.Y.Z.cdx.json`: its packages as CycloneDX (SBOM)
 * - `SHA256SUMS` of both
 */

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { compileFolder } from './compile.ts'
import { packageLock, packageManifest } from './manifest.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Folders of modules. */
const COMPILED = ['server', 'db', 'workers', 'packages/look', 'packages/rules', 'packages/texts']
/** Files and folders as they are. */
const COPIED = [
  'patches',
  'client/dist',
  'bin/choose-node.mjs',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'SECURITY.md',
  'docs',
  'deploy',
]
const BYTES_OF_OUTPUT_MAX = 64 * 1024 * 1024

const run = promisify(execFile)

/** npm under this Node, without a look at newer releases of itself. */
async function npm(folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, npm_config_update_notifier: 'false' }
  const { stdout } = await run('npm', args, { cwd: folder, env, maxBuffer: BYTES_OF_OUTPUT_MAX })
  return stdout
}

/** Builds the release into a folder; returns the names of its files. The browser client must be built. */
export async function buildRelease(target: string): Promise<string[]> {
  const manifest = packageManifest(ROOT)
  const staged = await mkdtemp(join(tmpdir(), 'parley-package-'))
  try {
    for (const folder of COMPILED) await compileFolder(ROOT, folder, staged)
    for (const path of COPIED) await cp(join(ROOT, path), join(staged, path), { recursive: true })
    await rm(join(staged, 'deploy/tarball'), { recursive: true })
    const command = await readFile(join(ROOT, 'deploy/tarball/parley.mjs'), 'utf8')
    // It lies beside the module there.
    const moved = command.replace('../../bin/choose-node.mjs', './choose-node.mjs')
    await writeFile(join(staged, 'bin/parley.mjs'), moved, { mode: 0o755 })
    await writeFile(join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    const lock = JSON.stringify(packageLock(ROOT, manifest), null, 2)
    await writeFile(join(staged, 'npm-shrinkwrap.json'), `${lock}\n`)

    await mkdir(target, { recursive: true })
    const base = `${manifest.name}-${manifest.version}`
    const list = await npm(staged, 'sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only')
    await writeFile(join(target, `${base}.cdx.json`), list)
    await npm(staged, 'pack', '--ignore-scripts', '--pack-destination', resolve(target))
    const names = [`${base}.tgz`, `${base}.cdx.json`]
    const sums = await Promise.all(
      names.map(async (name) => {
        const bytes = await readFile(join(target, name))
        return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`
      }),
    )
    await writeFile(join(target, 'SHA256SUMS'), sums.join(''))
    return [...names, 'SHA256SUMS']
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename) {
  const target = process.argv[2] ?? 'dist'
  const names = await buildRelease(target)
  process.stdout.write(names.map((name) => `${join(target, name)}\n`).join(''))
}

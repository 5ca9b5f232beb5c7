/** Unpacks the Chromium of an npm package for the tests. */

import { execFile } from 'node:child_process'
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const PACKAGE = '@sparticuz/chromium'
const PACKAGE_FOLDER = join(fileURLToPath(import.meta.resolve(PACKAGE)), '../..')

/** A Chromium on this machine. */
export interface InstalledChromium {
  readonly executablePath: string
  /** Libraries that the machine lacks, if it lacks some. */
  readonly env: Readonly<Record<string, string>>
}

/** Returns the Chromium under `toolchainFolder`; unpacks it there at its first use, in some three seconds. */
export async function installChromium(toolchainFolder: string): Promise<InstalledChromium> {
  const { version } = JSON.parse(await readFile(join(PACKAGE_FOLDER, 'package.json'), 'utf8')) as {
    version: string
  }
  const folder = join(toolchainFolder, `chromium-${version}`)
  if (!(await exists(folder))) await unpack(folder)
  const executablePath = join(folder, 'chromium')
  const env = (await starts(executablePath)) ? {} : { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }
  return { executablePath, env }
}

async function unpack(folder: string): Promise<void> {
  // Renamed when it is whole, so that an interrupted or parallel run leaves no partial one.
  const beginning = `${folder}.new-${process.pid}`
  await mkdir(beginning, { recursive: true })
  // The package unpacks to the folder for temporary files, and would use any `chromium` that lies there.
  const script = `
    import chromium, { inflate } from '${PACKAGE}'
    import { join } from 'node:path'
    await chromium.executablePath(process.argv[1])
    await inflate(join(process.argv[1], 'al2023.tar.br'))`
  try {
    await run(process.execPath, ['--input-type=module', '--eval', script, join(PACKAGE_FOLDER, 'bin')], {
      cwd: import.meta.dirname,
      env: { ...process.env, TMPDIR: beginning, NODE_OPTIONS: '' },
    })
    await rename(beginning, folder)
  } catch (cause) {
    await rm(beginning, { recursive: true, force: true })
    if (await exists(folder)) return // Another run was faster.
    throw new Error('could not unpack the Chromium for the tests', { cause })
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** Whether the machine has all libraries of a program. */
async function starts(file: string): Promise<boolean> {
  return run(file, ['--version']).then(
    () => true,
    () => false,
  )
}

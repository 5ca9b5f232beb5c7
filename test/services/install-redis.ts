/** Finds a real Redis for the tests, or unpacks one without installing it. */
import { execFile } from 'node:child_process'
import { access, chmod, constants, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const APT_MS_MAX = 300_000
const NOT_NEEDED = new Set([
  'libc6',
  'adduser',
  'lsb-base',
  'init-system-helpers',
  'debconf',
  'procps',
  'sysvinit-utils',
])

const run = promisify(execFile)

/**
 * Returns the path of a `redis-server` (or `valkey-server`): from PATH, or else from `toolchainFolder/redis`,
 * which is filled from packages of Debian or Ubuntu on first use, as any user, without changes outside of the
 * folder. It throws if the machine has neither; the message explains how to install it.
 */
export async function installRedis(toolchainFolder: string): Promise<string> {
  for (const name of ['redis-server', 'valkey-server']) {
    const found = await findOnPath(name)
    if (found) return found
  }
  const folder = path.resolve(toolchainFolder, 'redis')
  const wrapper = path.join(folder, 'redis-server')
  if (await isProgram(wrapper)) return wrapper
  // Created under another name and renamed, so that an interrupted or parallel run leaves no partial one.
  const beginning = `${folder}.new-${process.pid}`
  try {
    await unpackRedis(beginning)
    await rename(beginning, folder)
  } catch (cause) {
    await rm(beginning, { recursive: true, force: true })
    if (await isProgram(wrapper)) return wrapper // Another run was faster.
    const advice = 'please install redis-server (for example: apt-get install redis-server)'
    throw new Error(`the tests need a Redis and could not fetch one: ${advice}`, { cause })
  }
  return wrapper
}

async function unpackRedis(folder: string): Promise<void> {
  const system = path.join(folder, 'system')
  const downloads = path.join(folder, 'downloads')
  for (const name of ['lists/partial', 'cache/archives/partial', 'downloads', 'system']) {
    await mkdir(path.join(folder, name), { recursive: true })
  }
  // apt reads its folders from a file, where they can contain spaces; its own may be empty or read-only.
  const config = path.join(folder, 'apt.conf')
  const settings = {
    'Dir::State::lists': path.join(folder, 'lists'),
    'Dir::Cache': path.join(folder, 'cache'),
    'APT::Sandbox::User': 'root', // As root, apt would switch to a user who cannot enter these folders.
    'Acquire::Languages': 'none',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";\n`)
  // Hooks of the machine after an update, such as desktop notices, are turned off.
  await writeFile(config, [...lines, '#clear APT::Update;\n'].join(''))
  const options = {
    cwd: downloads,
    env: { ...process.env, APT_CONFIG: config, LC_ALL: 'C' },
    timeout: APT_MS_MAX,
  }

  await run('apt-get', ['update'], options)
  const { stdout } = await run('apt-cache', ['depends', 'redis-server', 'redis-tools'], options)
  const needed = [...stdout.matchAll(/^ +(?:Pre)?Depends: ([a-z0-9.+-]+)$/gm)].map((match) => match[1] ?? '')
  const packages = new Set(['redis-server', 'redis-tools', ...needed.filter((name) => !NOT_NEEDED.has(name))])
  await run('apt-get', ['download', ...packages], options)
  for (const file of await readdir(downloads)) await run('dpkg', ['-x', path.join(downloads, file), system])

  const wrapper = path.join(folder, 'redis-server')
  await writeFile(
    wrapper,
    `#!/bin/sh
# Runs the unpacked server with the libraries unpacked beside it.
here=$(dirname "$(readlink -f "$0")")
for libraries in "$here"/system/usr/lib/*-linux-gnu* "$here"/system/lib/*-linux-gnu*; do
  LD_LIBRARY_PATH="$libraries\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
done
export LD_LIBRARY_PATH
exec "$here/system/usr/bin/redis-server" "$@"
`,
  )
  await chmod(wrapper, 0o755)
  await run(wrapper, ['--version'])
  for (const name of ['lists', 'cache', 'downloads', 'apt.conf']) {
    await rm(path.join(folder, name), { recursive: true, force: true })
  }
}

async function findOnPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.resolve(folder, name)
    if (folder !== '' && (await isProgram(file))) return file
  }
  return undefined
}

async function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** The release tarball as npm installs it for everybody on a machine: it starts anywhere, and a newer one replaces it. */

import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import t from 'tap'
import { buildRelease } from '../../deploy/tarball/build.ts'
import { Client } from '../harness/client/client.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { findProcesses } from '../services/find-processes.ts'
import { pollUntil } from '../services/poll-until.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Milliseconds until npm counts as unable to reach its registry. */
const REGISTRY_MS_MAX = 60_000
const run = promisify(execFile)

/** The environment of somebody who has Node, npm with its settings and cache, and no clone; neither settings of the server. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { HOME } = process.env
  const npm = Object.entries(process.env).filter(([name]) =>
    /^(?:npm_config_|.*_proxy$|node_extra_ca_certs$)/i.test(name),
  )
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  return { ...Object.fromEntries(npm), PATH, HOME, npm_config_update_notifier: 'false' }
}

/** Why nothing is installed; undefined if it is. */
function findObstacle(): string | undefined {
  // Two installations of 200 MB, and two starts on a database of their own, take 45 s of a processor.
  if (process.env['PARLEY_INSTALLS'] !== 'on') return 'PARLEY_INSTALLS is not on'
  const options = { env: plainEnvironment(), encoding: 'utf8', timeout: REGISTRY_MS_MAX } as const
  const { status } = spawnSync('npm', ['view', 'postgres', 'name', '--prefer-online'], options)
  return status === 0 ? undefined : 'npm does not reach its registry'
}

/** The same release under the next version, packed by npm. */
async function packNewer(tarball: string, folder: string): Promise<{ newer: string; version: string }> {
  await mkdir(folder)
  await run('tar', ['xzf', tarball, '-C', folder, '--strip-components=1'])
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const manifest = read('package.json')
  const [major, minor, patch] = manifest.version.split('.').map(Number)
  const version = `${major}.${minor}.${patch + 1}`
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }))
  const lock = read('npm-shrinkwrap.json')
  writeFileSync(join(folder, 'npm-shrinkwrap.json'), JSON.stringify({ ...lock, version }))
  const options = { cwd: folder, env: plainEnvironment() }
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', dirname(tarball)], options)
  return { newer: join(dirname(tarball), `parley-${version}.tgz`), version }
}

const obstacle = findObstacle()

t.test(
  '[TARBALL5] npm installs the tarball for all users, it starts in any folder, and a newer one goes on with its data',
  obstacle === undefined ? {} : { skip: obstacle },
  async (t) => {
    const folder = await makeFolder(t)
    const dist = join(folder, 'dist')
    const [name = ''] = await buildRelease(dist)
    const tarball = join(dist, name)
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const prefix = join(folder, 'prefix')
    const home = join(folder, 'elsewhere')
    await mkdir(home)

    const install = (file: string) =>
      run('npm', ['install', '--global', `--prefix=${prefix}`, '--prefer-offline', '--no-audit', file], {
        env: plainEnvironment(),
        cwd: home,
      })
    /** Starts the command that npm linked, and stops it as an operator does after the work. */
    const serve = async (work: (url: string) => Promise<void>) => {
      // Without a setting beside the port: the data is in the working folder.
      const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, PORT: '0' }
      const child = spawn(join(prefix, 'bin/parley'), [], {
        env,
        cwd: home,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exited = once(child, 'exit')
      t.teardown(async () => {
        child.kill('SIGKILL')
        await exited
        await pollUntil('nothing is left running', () => findProcesses(home).length === 0)
      })
      for await (const line of createInterface(child.stdout)) {
        const [, url] = /^Parley is ready at (\S+)$/.exec(line) ?? []
        if (url === undefined) continue
        child.stdout.resume()
        await work(url)
        child.kill('SIGTERM')
        t.strictSame(await exited, [0, null])
        await pollUntil('nothing is left running', () => findProcesses(home).length === 0)
        return
      }
      throw new Error('it ended before it was ready')
    }
    const versionAt = async (url: string) =>
      ((await (await fetch(`${url}/health/live`)).json()) as { readonly version: string }).version
    const ownerAt = (url: string) => {
      const { accounts } = JSON.parse(readFileSync(join(home, 'data/demo-accounts.json'), 'utf8'))
      return new Client(url, 0, accounts[0].email, accounts[0].api_key)
    }

    await install(tarball)
    let messageId = 0
    await serve(async (url) => {
      t.equal(await versionAt(url), version)
      t.equal((await fetch(url)).status, 200, 'the client is there')
      messageId = await ownerAt(url).send('general', 'release', 'written before the upgrade')
    })

    const { newer, version: newVersion } = await packNewer(tarball, join(folder, 'newer'))
    await install(newer)
    await serve(async (url) => {
      t.equal(await versionAt(url), newVersion)
      const { message } = await ownerAt(url).must('GET', `/messages/${messageId}`)
      t.match(message.content, 'written before the upgrade')
    })
    const { stdout } = await run(join(prefix, 'bin/parley'), ['--version'], { env: plainEnvironment() })
    t.equal(stdout, `${newVersion}\n`, 'the earlier one is gone')
  },
)

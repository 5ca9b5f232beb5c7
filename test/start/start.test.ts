/** `npm start` as a real process tree on its own data folder. */

import { createServer } from 'node:net'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { DemoAccount } from '../../server/admin/draft-demo.ts'
import { Browser } from '../harness/browser/browser.ts'
import { Client } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { copyFolder } from '../services/copy-folder.ts'
import { findProcesses } from '../services/find-processes.ts'
import { pollUntil } from '../services/poll-until.ts'
import { runEntry, type Settings, startEntry } from './run-entry.ts'

const START = 'server/start.ts'
const DEMO = /demo (organization|accounts)/i
const READY = /^Parley is ready at (http:\/\/127\.0\.0\.1:\d+)$/m

/** The data of the first start; most others need not create it again. */
const made = t.testdir()

function copyMade(dataFolder: string): string {
  copyFolder(made, dataFolder)
  return dataFolder
}

const nothingIsLeft = (dataFolder: string) =>
  pollUntil('nothing is left running', () => findProcesses(dataFolder).length === 0)

async function start(t: Test, settings: Settings, args: readonly string[] = []) {
  const entry = startEntry(t, START, { PORT: '0', ...settings }, args)
  const [, url] = await entry.whenSaid(READY)
  return { ...entry, url: url as string }
}

function readAccounts(dataFolder: string): DemoAccount[] {
  return JSON.parse(readFileSync(join(dataFolder, 'demo-accounts.json'), 'utf8')).accounts
}

function clientOf(url: string, accounts: readonly DemoAccount[], name: string): Client {
  const account = accounts.find(({ email }) => email === `${name}@example.com`)
  if (!account) throw new Error(`there is no account of ${name}`)
  return new Client(url, 0, account.email, account.api_key)
}

t.test(
  '[START1] without settings it serves a demo organization, and prints its name and address',
  async (t) => {
    const dataFolder = t.testdir()
    const { url, stdout, process: child, ended } = await start(t, { DATA_DIR: dataFolder })
    t.equal((await fetch(`${url}/health/ready`)).status, 200)
    const lines = stdout().split('\n')
    t.match(
      lines.find((line) => !line.startsWith('{')),
      READY,
    )
    t.match(stdout(), /^  version:  \d+\.\d+\.\d+$/m)
    t.match(stdout(), `embedded PostgreSQL 18 in ${dataFolder}\n`)
    t.match(stdout(), /^ {2}Redis: {4}a private one$/m)
    t.match(stdout(), `${url}/api/v1`)
    t.equal(statSync(join(dataFolder, 'demo-accounts.json')).mode & 0o777, 0o600)

    const accounts = readAccounts(dataFolder)
    t.strictSame(
      accounts.map(({ email, role }) => [email, role]),
      [
        ['owner@example.com', 'owner'],
        ['administrator@example.com', 'administrator'],
        ['moderator@example.com', 'moderator'],
        ['member@example.com', 'member'],
        ['member2@example.com', 'member'],
        ['guest@example.com', 'guest'],
        ['bot@example.com', 'member'],
      ],
    )
    for (const { email, password, api_key } of accounts) {
      const line = lines.find((text) => text.trim().startsWith(`${email} `))
      t.ok(line?.includes(api_key) && line.includes(password ?? '-'), `the account of ${email} is printed`)
      t.equal(
        (await new Client(url, 0, email, api_key).get('/users/me')).status,
        200,
        `${email} gets in by key`,
      )
      if (password === null) continue
      const fields = { username: email, password }
      t.match(await new Client(url, 0, '', '').must('POST', '/fetch_api_key', fields), { email })
    }

    const member2 = clientOf(url, accounts, 'member2')
    const { messages } = await member2.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
    })
    t.ok(
      messages.some(({ type }: { type: string }) => type === 'private'),
      'there is a direct message',
    )
    t.ok(
      messages.some(({ type }: { type: string }) => type === 'stream'),
      'there are channel messages',
    )
    const seenBy = async (name: string) =>
      (await clientOf(url, accounts, name).must('GET', '/users/me/subscriptions')).subscriptions.map(
        (one: { name: string }) => one.name,
      )
    t.strictSame((await seenBy('owner')).sort(), ['design', 'general', 'leadership'])
    t.strictSame(await seenBy('guest'), ['general'])
    t.type(await clientOf(url, accounts, 'guest').send('general', 'welcome', 'Hello'), 'number')

    child.kill('SIGTERM')
    t.match(await ended, { code: 0, stderr: '' })
    await nothingIsLeft(dataFolder)
    copyFolder(dataFolder, made)
  },
)

t.test(
  '[START2] kill -9 leaves nothing running, and the next start has everything acknowledged',
  async (t) => {
    const dataFolder = copyMade(t.testdir())
    const first = await start(t, { DATA_DIR: dataFolder })
    const accounts = readAccounts(dataFolder)
    const owner = clientOf(first.url, accounts, 'owner')
    const queue = await owner.register({ fetch_event_types: ['message'], event_types: ['message'] })
    const id = await owner.send('general', 'kept', 'this stays')
    first.process.kill('SIGKILL')
    await first.ended
    await nothingIsLeft(dataFolder)

    const second = await start(t, { DATA_DIR: dataFolder })
    t.match(second.stdout(), /^ {2}Demo accounts:$/m)
    t.strictSame(readAccounts(dataFolder), accounts, 'no second demo')
    const again = clientOf(second.url, accounts, 'owner')
    t.match(await again.events(queue), [{ type: 'message', message: { id, content: /this stays/ } }])
    second.process.kill('SIGTERM')
    t.match(await second.ended, { code: 0 })
    await nothingIsLeft(dataFolder)
  },
)

t.test('[START3] signals to the whole process group stop it once and cleanly, however many', async (t) => {
  const dataFolder = copyMade(t.testdir())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const { process: child, ended } = await start(t, { DATA_DIR: dataFolder })
    process.kill(-(child.pid as number), signal)
    process.kill(-(child.pid as number), signal)
    t.match(await ended, { code: 0, stderr: '' }, signal)
    await nothingIsLeft(dataFolder)
  }
})

t.test('[START4] a signal during the start stops it after the start, with nothing left', async (t) => {
  const dataFolder = t.testdir()
  const { process: child, ended } = startEntry(t, START, { PORT: '0', DATA_DIR: dataFolder })
  await pollUntil('the database is being made', () => findProcesses(dataFolder).length > 0)
  child.kill('SIGTERM')
  t.match(await ended, { stderr: '' })
  await nothingIsLeft(dataFolder)
})

t.test('[START5] a configured database gets the schema and no demo', async (t) => {
  const databaseUrl = await createDatabase(t)
  const dataFolder = t.testdir()
  const {
    stdout,
    process: child,
    ended,
  } = await start(t, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataFolder,
  })
  t.match(stdout(), /database: as DATABASE_URL says\n/)
  t.match(stdout(), /There is no organization yet; to make one: npm run/)
  t.notMatch(stdout(), /demo/i)
  const listed = await runEntry(t, 'server/admin/main.ts', { DATABASE_URL: databaseUrl }, ['user', 'list'])
  t.equal(listed.stdout, '[]\n')
  child.kill('SIGTERM')
  t.match(await ended, { code: 0, stderr: '' })
})

t.test('[START6] a failure to start is reported in one line', async (t) => {
  const folder = t.testdir()
  const dataFolder = copyMade(join(folder, 'running'))
  const server = createServer()
  t.teardown(() => server.close())
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as { port: number }
  const running = await start(t, { DATA_DIR: dataFolder })
  const databaseUrl = await createDatabase(t)
  const cases: [settings: Settings, line: RegExp][] = [
    [{ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535, not 'http'$/],
    [{ DATABASE_URL: 'mysql://u:secret@h/d' }, /^DATABASE_URL must be an address that starts with postgres/],
    [
      { DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d' },
      /^the database of DATABASE_URL .* \(ECONNREFUSED\)$/,
    ],
    [
      { DATABASE_URL: databaseUrl, PORT: String(port), TRANSPORT: 'uws' },
      /^cannot listen on 127\.0\.0\.1:\d+: the port is taken or not allowed, or the address is none of this machine$/,
    ],
    [
      { DATABASE_URL: databaseUrl, PORT: String(port), TRANSPORT: 'node' },
      /^cannot listen on 127\.0\.0\.1:\d+: the port is taken$/,
    ],
    [
      { DATABASE_URL: databaseUrl, HOST: '203.0.113.1', TRANSPORT: 'node' },
      /^cannot listen on 203\.0\.113\.1:0: the address is none of this machine$/,
    ],
    [{ DATA_DIR: '/proc/x' }, /^the folder of DATA_DIR cannot be used: \/proc\/x: ENOENT/],
    [{ DATA_DIR: '/etc/passwd/x' }, /^the folder of DATA_DIR cannot be used: .*: ENOTDIR/],
    [{ DATA_DIR: dataFolder }, /^another server is running on .*postgres \(process \d+ of \d+\)$/],
  ]
  for (const [settings, line] of cases) {
    const ending = await runEntry(t, START, { PORT: '0', DATA_DIR: join(folder, 'other'), ...settings })
    // A start that gets this far has logged the bounds of its caches.
    const logged = /^(\{[^\n]+\}\n)*$/
    t.match(ending, { code: 1, stdout: logged, stderr: /^parley: [^\n]+\n$/ }, Object.keys(settings).join())
    t.match(ending.stderr.slice('parley: '.length).trimEnd(), line)
    t.notMatch(ending.stderr, 'secret')
  }
  t.equal((await fetch(`${running.url}/health/ready`)).status, 200, 'the running one continues')
})

t.test('[START14] --no-demo starts empty, and the printed link makes the organization once', async (t) => {
  const dataFolder = t.testdir()
  const settings = { DATA_DIR: dataFolder }
  const link = (stdout: string) => /^ {4}(http:\S+\/setup\/[A-Za-z0-9]{32}\/)$/m.exec(stdout)?.[1] as string
  const first = await start(t, settings, ['--no-demo'])
  t.notMatch(first.stdout(), DEMO)
  t.equal((await fetch(link(first.stdout()))).status, 200)
  first.process.kill('SIGTERM')
  t.match(await first.ended, { code: 0, stderr: '' })

  // The start after it makes no demo either, and replaces the link.
  const second = await start(t, settings)
  t.notMatch(second.stdout(), DEMO)
  const address = link(second.stdout())
  t.not(new URL(address).pathname, new URL(link(first.stdout())).pathname)
  t.equal((await fetch(second.url + new URL(link(first.stdout())).pathname)).status, 404)
  const browser = new Browser(second.url)
  const { pathname } = new URL(address)
  const fields = {
    organization: 'Ours',
    full_name: 'Ann',
    email: 'ann@example.com',
    password: 'correct horse',
    channels: 'general',
  }
  t.equal((await browser.send('POST', pathname, { fields })).status, 200)
  t.match((await browser.send('GET', '/json/users/me')).body, { email: 'ann@example.com', role: 100 })
  t.equal((await browser.send('POST', pathname, { fields })).status, 404, 'it works once')
  second.process.kill('SIGTERM')
  t.match(await second.ended, { code: 0, stderr: '' })

  // In a folder with an organization the argument changes nothing.
  const third = await start(t, settings, ['--no-demo'])
  t.notMatch(third.stdout(), /demo (organization|accounts)|set up your|There is no organization/i)
  t.equal((await browser.at(third.url).send('GET', '/json/users/me')).status, 200)
  third.process.kill('SIGTERM')
  t.match(await third.ended, { code: 0, stderr: '' })
  await nothingIsLeft(dataFolder)
  const there = { DATA_DIR: copyMade(t.testdir({})), PORT: '0', PUBLIC_URL: 'https://chat.example.com' }
  const demo = startEntry(t, START, there, ['--no-demo'])
  await demo.whenSaid(/^Parley is ready at https:\/\/chat\.example\.com$/m)
  t.match(demo.stdout(), /^ {2}Demo accounts:$/m, 'nor in one with the demo')
  t.match(demo.stdout(), 'the demo organization is on a public address', 'which warns')
  t.notMatch(third.stdout(), 'public address')
  t.match(await runEntry(t, START, { PORT: '0' }, ['--nodemo']), {
    code: 1,
    stderr: "parley: unknown argument '--nodemo'; there is --no-demo\n",
  })
})

/** The published client package: built, packed, and used by a program without other project code. */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { ACCOUNTS, emailOf, startTestServer } from '../harness/servers/start-server.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

t.test(
  '[PACKAGE14] the published package needs nothing of the server, and the example bot runs on it',
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-package-'))
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    const home = join(folder, 'node_modules/parley-client')
    const source = join(ROOT, 'packages/client')
    await mkdir(home, { recursive: true })
    await run(join(ROOT, 'node_modules/.bin/tsc'), ['--project', source, '--outDir', join(home, 'dist')])
    await cp(join(source, 'package.json'), join(home, 'package.json'))
    await cp(join(ROOT, 'examples/echo-bot.ts'), join(folder, 'echo-bot.ts'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const types = await readFile(join(home, 'dist/index.d.ts'), 'utf8')
    t.match(types, 'ParleyClient')

    const server = await startTestServer(t)
    const member = server.as('member')
    await member.subscribe(['general'], { principals: [ACCOUNTS.get('bot')?.id] })
    await member.subscribe(['general'])
    const queue = await member.register({ event_types: ['message'] })
    const bot = spawn(process.execPath, ['echo-bot.ts'], {
      cwd: folder,
      env: {
        PARLEY_URL: server.node.url,
        PARLEY_EMAIL: emailOf('bot'),
        PARLEY_KEY: ACCOUNTS.get('bot')?.key,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(bot, 'exit')
    t.teardown(async () => {
      bot.kill()
      await exited
    })
    await Promise.race([once(bot.stdout, 'data'), exited])
    await member.send('general', 'echo', '@**The bot** are you there?')
    const contents: string[] = []
    while (contents.length < 2) {
      const events = await member.events(queue, {})
      contents.push(...events.filter(({ type }) => type === 'message').map(({ message }) => message.content))
    }
    t.match(contents[1], /^@_\*\*The member\|4\*\* said:\n@\*\*The bot\*\* are you there\?$/)
  },
)

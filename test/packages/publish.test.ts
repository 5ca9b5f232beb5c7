/** The published client package: built, packed, and used by a program without other project code. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ACCOUNTS, startTestServer } from '../harness/servers/start-server.ts'
import { installExamples, startExample } from './install-examples.ts'

t.test(
  '[PACKAGE14] the published package needs nothing of the server, and the example bot runs on it',
  async (t) => {
    const folder = await installExamples(t)
    const types = await readFile(join(folder, 'node_modules/parley-client/dist/index.d.ts'), 'utf8')
    t.match(types, 'ParleyClient')

    const server = await startTestServer(t)
    const member = server.as('member')
    await member.subscribe(['general'], { principals: [ACCOUNTS.get('bot')?.id] })
    await member.subscribe(['general'])
    const queue = await member.register({ event_types: ['message'] })
    await startExample(t, { folder, server, args: ['echo-bot.ts'] }).line(/listens/)
    await member.send('general', 'echo', '@**The bot** are you there?')
    const contents: string[] = []
    while (contents.length < 2) {
      const events = await member.events(queue, {})
      contents.push(...events.filter(({ type }) => type === 'message').map(({ message }) => message.content))
    }
    t.match(contents[1], /^@_\*\*The member\|4\*\* said:\n@\*\*The bot\*\* are you there\?$/)
  },
)

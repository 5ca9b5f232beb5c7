/** The examples, as programs that somebody runs beside a server. */

import { createHmac } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { startChromium } from '../harness/browser/chromium.ts'
import type { Client, Queue } from '../harness/client/client.ts'
import { ACCOUNTS, startTestServer } from '../harness/servers/start-server.ts'
import { installExamples, startExample } from './install-examples.ts'

const folder = await installExamples(t)
const server = await startTestServer(t)
const member = server.as('member')
await member.subscribe(['general'], { principals: [ACCOUNTS.get('bot')?.id] })
await member.subscribe(['general'])

/** The next messages of the bot in a queue. */
async function fromBot(client: Client, queue: Queue, count: number): Promise<string[]> {
  const contents: string[] = []
  while (contents.length < count) {
    const messages = (await client.events(queue, {})).flatMap((event) => event.message ?? [])
    contents.push(
      ...messages
        .filter((one) => one.sender_id === ACCOUNTS.get('bot')?.id)
        .map((one) => `${one.subject}: ${one.content}`),
    )
  }
  return contents
}

const registerMessages = () => member.register({ event_types: ['message'] })

t.test('[EXAMPLE1] the karma bot counts points, also after a new start', async (t) => {
  const queue = await registerMessages()
  const bot = startExample(t, { folder, server, args: ['karma-bot.ts'] })
  await bot.line(/listens/)
  await member.send('general', 'thanks', '@**The owner** ++ and @**The guest|6** ++, but @**The member** ++')
  t.same(await fromBot(member, queue, 2), ['thanks: The owner has 1.', 'thanks: The guest has 1.'])
  bot.child.kill()
  await bot.exited
  await startExample(t, { folder, server, args: ['karma-bot.ts'] }).line(/listens/)
  await member.send('general', 'thanks', '@**The owner**++')
  t.same(await fromBot(member, queue, 1), ['thanks: The owner has 2.'])
})

t.test('[EXAMPLE2] the webhook posts a signed push once, and refuses others', async (t) => {
  const queue = await registerMessages()
  const env = { WEBHOOK_SECRET: 'a secret of ours' }
  const hook = startExample(t, { folder, server, args: ['webhook.ts'], env })
  const [, port] = /"port":(\d+)/.exec(await hook.line(/webhooks/)) ?? []
  const body = JSON.stringify({
    ref: 'refs/heads/main',
    compare: 'https://forge.example/compare',
    repository: { full_name: 'team/parley' },
    pusher: { name: 'Ada' },
    commits: [{ message: 'Mend the lamp\n\nIt flickered.', url: 'https://forge.example/1' }],
  })
  const send = async (secret: string, delivery: string, event = 'push') => {
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const headers = {
      'x-hub-signature-256': `sha256=${signature}`,
      'x-github-event': event,
      'x-github-delivery': delivery,
    }
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status
  }
  t.equal(await send('a guess', '1'), 403)
  t.equal(await send(env.WEBHOOK_SECRET, '2', 'ping'), 204)
  t.equal(await send(env.WEBHOOK_SECRET, '3'), 204)
  t.equal(await send(env.WEBHOOK_SECRET, '3'), 204, 'a repeated delivery')
  t.equal(await send(env.WEBHOOK_SECRET, '4'), 204)
  const line =
    'team/parley: Ada pushed [1 commit](https://forge.example/compare) to `main`\n' +
    '* Mend the lamp ([commit](https://forge.example/1))'
  t.same(await fromBot(member, queue, 2), [line, line])
})

t.test(
  '[EXAMPLE8] the report of a job posts its end with a key for webhooks, and ends as the job did',
  async (t) => {
    const owner = server.as('owner')
    const { user_id: bot } = await owner.must('POST', '/bots', {
      full_name: 'Jobs',
      short_name: 'jobs',
      bot_type: 2,
    })
    const path = `/bots/${bot}/keys` as '/bots/1/keys'
    const { api_key } = await owner.must('POST', path, { name: 'job-report', scope: 'webhooks' })
    const report = (key: string, ...args: string[]) => {
      const query = new URLSearchParams({ api_key: key, stream: 'general', topic: 'jobs' })
      const env = { PARLEY_WEBHOOK: `${server.node.url}/api/v1/external/text?${query.toString()}` }
      return startExample(t, { folder, server, args: ['job-report.ts', process.execPath, ...args], env })
        .exited
    }
    t.equal(await report(api_key, '-e', '0'), 0)
    t.equal(await report(api_key, '-e', 'console.log("``` disk full"); process.exit(3)'), 3)
    t.equal(await report('x'.repeat(32), '-e', '0'), 0, 'a refused report fails no job')
    const { messages } = await member.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 10,
      narrow: [['sender', bot]],
      apply_markdown: false,
    })
    const [good, bad, ...more] = messages.map(({ subject, content }) => `${subject}: ${content}`)
    t.same(more, [])
    t.match(good, /^jobs: `[^`]+` succeeded after [\d.]+ s\.$/)
    t.match(bad, /^jobs: `[^`]+` failed with 3 after [\d.]+ s\.\n````text\n``` disk full\n````$/)
  },
)

t.test('[EXAMPLE3] the importer sends each line once, however often it runs', async (t) => {
  const lines = [
    { channel: 'imported', topic: 'logo', sender: 'Ada', time: '2024-05-01T10:00:00Z', text: 'Which blue?' },
    {
      channel: 'imported',
      topic: 'logo',
      sender: 'Bob',
      time: '2024-05-01T10:01:00Z',
      text: 'The dark one.',
    },
  ].map((line) => JSON.stringify(line))
  await writeFile(join(folder, 'history.jsonl'), `${lines.join('\n')}\n`)
  for (const _ of [1, 2]) {
    const run = startExample(t, { folder, server, args: ['import-history.ts', 'history.jsonl'] })
    t.equal(await run.line(/imported/), 'imported 2 lines into 1 channels')
    t.equal(await run.exited, 0)
  }
  const { messages } = await server.as('bot').must('GET', '/messages', {
    narrow: [{ operator: 'channel', operand: 'imported' }],
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    apply_markdown: false,
  })
  const imported = (messages as { sender_id: number; content: string }[]).filter(
    ({ sender_id: id }) => id === ACCOUNTS.get('bot')?.id,
  )
  t.same(
    imported.map(({ content }) => content),
    [
      '**Ada**, <time:2024-05-01T10:00:00Z>:\nWhich blue?',
      '**Bob**, <time:2024-05-01T10:01:00Z>:\nThe dark one.',
    ],
  )
})

t.test('[EXAMPLE4] the upload stores a file and posts a link that its readers can open', async (t) => {
  const queue = await registerMessages()
  await writeFile(join(folder, 'notes.txt'), 'what we said')
  const upload = startExample(t, { folder, server, args: ['upload.ts', 'notes.txt', 'general', 'files'] })
  t.equal(await upload.line(/posted/), 'posted notes.txt')
  t.equal(await upload.exited, 0)
  const [message = ''] = await fromBot(member, queue, 1)
  const [, path] = /^files: \[notes\.txt\]\((\/user_uploads\/.*)\)$/.exec(message) ?? []
  const file = await fetch(`${server.node.url}${path}`, { headers: { authorization: member.authorization } })
  t.equal(await file.text(), 'what we said')
  await t.rejects(readFile(join(folder, 'notes.txt.upload')), 'no unfinished upload is left')
})

t.test('[EXAMPLE6] the agent sums up the topics of a channel in a draft', async (t) => {
  const bot = server.as('bot')
  await member.subscribe(['digested'], { principals: [bot.userId] })
  for (const topic of ['lamps', 'lamps', 'chairs']) await member.send('digested', topic, 'Hello')
  const agent = startExample(t, { folder, server, args: ['digest-agent.ts', 'digested'] })
  t.match(await agent.line(/^draft/), /^draft \d+$/)
  t.equal(await agent.exited, 0)
  const { drafts } = await bot.must('GET', '/drafts')
  t.match(drafts, [
    {
      topic: 'digest',
      content:
        'Yesterday in #**digested**:\n' +
        '- **chairs**: 1 messages by The member\n- **lamps**: 2 messages by The member',
    },
  ])
})

t.test(
  '[EXAMPLE5] the live page shows the newest messages, and those that come, go and change',
  async (t) => {
    const first = await member.send('general', 'wall', 'The *first* one')
    const live = startExample(t, { folder, server, args: ['live-page/server.ts'] })
    const [, port] = /"port":(\d+)/.exec(await live.line(/live page/)) ?? []
    const page = await (await startChromium(t)).newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.getByText('The first one').waitFor()
    t.equal(await page.locator('article em').textContent(), 'first', 'as rendered by the server')
    await member.send('general', 'wall', 'The second one')
    await page.getByText('The second one').waitFor()
    await member.must('PATCH', `/messages/${first}`, { content: 'The changed one' })
    await page.getByText('The changed one').waitFor()
    await server.as('owner').must('DELETE', `/messages/${first}`)
    await page.getByText('The changed one').waitFor({ state: 'detached' })
  },
)

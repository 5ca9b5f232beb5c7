/** Programs of others that speak to Slack or to Alertmanager's receivers, unchanged: only the address is ours. */

import { spawn } from 'node:child_process'
import { accessSync, constants, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { IncomingWebhook } from '@slack/webhook'
import t, { type Test } from 'tap'
import { makeFolder } from '../harness/client/tus.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'

/** Where Debian's `netdata-plugins-bash` has its script. */
const NETDATA_SCRIPT = '/usr/lib/netdata/plugins.d/alarm-notify.sh'

const server = await startTestServer(t)
const owner = server.as('owner')
await owner.subscribe(['alerts'])
const { user_id: bot, api_key: key } = await owner.must('POST', '/bots', {
  full_name: 'Alerts',
  short_name: 'alerts',
  bot_type: 2,
})

/** The address that somebody copies into the program. */
function addressOf(name: string, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ api_key: key, stream: 'alerts', ...more })
  return `${server.node.url}/api/v1/external/${name}?${query.toString()}`
}

/** The messages of the bot so far, oldest first. */
async function posted(): Promise<readonly { readonly subject: string; readonly content: string }[]> {
  const { messages } = await owner.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [['sender', bot]],
    apply_markdown: false,
  })
  return messages
}

function find(program: string): string | undefined {
  const paths = program.startsWith('/')
    ? [program]
    : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program))
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

t.test("[REALSEND1] Slack's own library posts texts, blocks and attachments", async (t) => {
  const webhook = new IncomingWebhook(addressOf('slack_incoming'), { username: 'Builds' })
  const before = (await posted()).length
  t.match(await webhook.send('Build *7* is <https://ci.example.com/7|green> :tada:'), { text: 'ok' })
  t.match(
    await webhook.send({
      text: 'for notifications alone',
      channel: '#builds',
      icon_emoji: ':robot_face:',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Deploy of *main*' } },
        { type: 'section', text: { type: 'mrkdwn', text: 'Took ~9~ *8* minutes' } },
        {
          type: 'actions',
          elements: [
            {
              type: 'button',
              text: { type: 'plain_text', text: 'Open' },
              url: 'https://ci.example.com/7?a=1&b=2',
            },
          ],
        },
      ],
      attachments: [{ color: 'danger', title: 'One test fails', title_link: 'https://ci.example.com/t' }],
    }),
    { text: 'ok' },
  )
  const [first, second, ...more] = (await posted()).slice(before)
  t.same(more, [])
  t.match(first, { subject: 'Slack-compatible' })
  t.equal(first?.content, 'Build **7** is [green](https://ci.example.com/7) :tada:')
  t.equal(second?.subject, 'builds')
  t.match(second?.content, /Deploy of/)
  t.match(second?.content, '~~9~~ **8** minutes')
  t.match(second?.content, '(https://ci.example.com/7?a=1&b=2)')
  t.match(second?.content, '(https://ci.example.com/t)')
  t.notMatch(second?.content, 'for notifications alone')
  const refused = new IncomingWebhook(addressOf('slack_incoming', { api_key: 'x'.repeat(32) }))
  await t.rejects(refused.send('nothing'), { code: 'slack_webhook_http_error', message: /403/ })
  t.equal((await posted()).length, before + 2)
})

async function freePort(): Promise<number> {
  const listener = createServer()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  await new Promise((resolve) => listener.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Alertmanager with both kinds of receivers; ends with the test. */
async function startAlertmanager(t: Test, program: string): Promise<string> {
  const folder = await makeFolder(t)
  const port = await freePort()
  const file = join(folder, 'alertmanager.yml')
  writeFileSync(
    file,
    JSON.stringify({
      route: { receiver: 'parley', group_by: ['alertname'], group_wait: '0s', group_interval: '1s' },
      receivers: [
        {
          name: 'parley',
          webhook_configs: [{ url: addressOf('alertmanager') }],
          slack_configs: [{ api_url: addressOf('slack_incoming'), channel: '#slack-alerts' }],
        },
      ],
    }),
  )
  const child = spawn(
    program,
    [
      `--config.file=${file}`,
      `--storage.path=${folder}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += String(text)))
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const url = `http://127.0.0.1:${port}`
  await pollUntil(
    () => `Alertmanager answers; it said ${said}`,
    async () => (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok,
  )
  return url
}

t.test('[REALSEND2] Alertmanager posts to its own receiver and to that of Slack', async (t) => {
  const program = find('prometheus-alertmanager') ?? find('alertmanager')
  if (program === undefined) return t.comment('Alertmanager is not installed: it is not tested')
  const url = await startAlertmanager(t, program)
  const before = (await posted()).length
  const raised = await fetch(`${url}/api/v2/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([
      {
        labels: { alertname: 'DiskFull', severity: 'critical', instance: 'db1' },
        annotations: { summary: 'Disk of <db1> is 98 % full', description: 'Grow it.' },
        generatorURL: 'http://prometheus.example.com/graph?g0.expr=disk&g0.tab=1',
      },
    ]),
  })
  t.equal(raised.status, 200)
  await pollUntil('both receivers are called', async () => (await posted()).length >= before + 2)
  const found = (await posted()).slice(before)
  const own = found.find(({ subject }) => subject !== 'slack-alerts')
  const slack = found.find(({ subject }) => subject === 'slack-alerts')
  t.equal(own?.subject, 'DiskFull')
  for (const { content = '' } of [own ?? {}, slack ?? {}]) {
    t.match(content, 'DiskFull')
    t.match(content, 'db1')
  }
  return undefined
})

t.test('[REALSEND3] the script by which netdata notifies posts each of its states', async (t) => {
  const program = find(NETDATA_SCRIPT) ?? find('alarm-notify.sh')
  if (program === undefined) return t.comment('netdata is not installed: it is not tested')
  const folder = await makeFolder(t)
  writeFileSync(
    join(folder, 'health_alarm_notify.conf'),
    [
      'SEND_SLACK=YES',
      `SLACK_WEBHOOK_URL='${addressOf('slack_incoming')}'`,
      'DEFAULT_RECIPIENT_SLACK=netdata',
      'SEND_EMAIL=NO',
    ].join('\n'),
  )
  const before = (await posted()).length
  const child = spawn('bash', [program, 'test'], {
    env: {
      ...process.env,
      NETDATA_USER_CONFIG_DIR: folder,
      NETDATA_STOCK_CONFIG_DIR: folder,
      NETDATA_CACHE_DIR: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += String(text)))
  await once(child, 'close')
  const found = (await posted()).slice(before)
  t.equal(found.length, 3, said)
  for (const [index, state] of ['needs attention', 'is critical', 'recovered'].entries()) {
    t.equal(found[index]?.subject, 'netdata')
    t.match(found[index]?.content, state)
    t.match(found[index]?.content, 'this is a test alarm to verify notifications work')
  }
  return undefined
})

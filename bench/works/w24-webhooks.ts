/** W24: the sends of others while other systems post 10,000 webhooks a minute, and while they post none. */

import { join } from 'node:path'
import { connect } from '../../db/connection/connect.ts'
import { HttpConnection, postRequest } from '../load/http-connection.ts'
import type { SendLoad, SentMessages } from '../load/send-load.ts'
import type { PostedWebhooks, WebhookLoad } from '../load/webhook-load.ts'
import { compareLatencies, noteSize, type Round } from '../measure/figure.ts'
import { percentile } from '../measure/percentile.ts'
import { sized } from '../measure/sizes.ts'
import type { Work } from '../measure/work.ts'
import { checkStored } from '../start/check-stored.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople, type Person } from '../start/create-people.ts'
import { startParley } from '../start/start-parley.ts'
import { startRemote } from '../start/remote.ts'

const PER_MINUTE = 10_000
/** Webhooks of one turn, which is as long as that of the sends: five seconds. */
const WEBHOOKS = { count: sized(834, 84), perSecond: PER_MINUTE / 60 }
const SENDS = { count: sized(100, 10), perSecond: 20 }
/** Of each before the first turn. */
const WARM_UPS = { sends: sized(20, 5), webhooks: sized(160, 20) }
const ROUNDS = sized(3, 1)
/** Enough that no send waits for the answer to another. */
const SENDERS = 100
/** Systems with a bot and a connection each. */
const SYSTEMS = 20

export const webhooks: Work = {
  name: 'W24',
  title: `others' sends while ${SYSTEMS} systems post ${PER_MINUTE.toLocaleString('en')} webhooks a minute`,
  limit: 'the same sends without webhooks',
  async run({ createDatabase }) {
    const databaseUrl = await createDatabase()
    const people = await createPeople(databaseUrl, SENDERS)
    const parley = await startParley(databaseUrl)
    const sends = startRemote<SendLoad>(join(import.meta.dirname, '../load/send-load.ts'))
    const posts = startRemote<WebhookLoad>(join(import.meta.dirname, '../load/webhook-load.ts'))
    try {
      await createChannels(parley.port, people, ['general', 'alerts'])
      const authorizations = people.map(({ authorization }) => authorization)
      await sends.call('connect', { port: parley.port, authorizations, channels: ['general'] })
      await posts.call('aim', { port: parley.port, paths: await createBots(parley.port, people) })
      const turns: SentMessages[] = [await sends.call('sendSteadily', { ...SENDS, count: WARM_UPS.sends })]
      const posted: PostedWebhooks[] = [await posts.call('post', { ...WEBHOOKS, count: WARM_UPS.webhooks })]
      const rounds: Round<readonly number[]>[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const limit = await sends.call('sendSteadily', SENDS)
        const [ours, done] = await Promise.all([
          sends.call('sendSteadily', SENDS),
          posts.call('post', WEBHOOKS),
        ])
        rounds.push({ ours: ours.latenciesMs, limit: limit.latenciesMs })
        turns.push(limit, ours)
        posted.push(done)
      }
      await checkStored(databaseUrl, turns)
      const count = await checkPosted(databaseUrl, posted)
      const latencies = posted.slice(1).flatMap(({ latenciesMs }) => latenciesMs)
      return [
        compareLatencies('a send', rounds, { p50Max: 2, p99Max: 2 }, { webhooks: count }),
        noteSize('a webhook', percentile(latencies, 0.5), 'ms', { p99: percentile(latencies, 0.99) }),
      ]
    } finally {
      await Promise.all([sends.close(), posts.close(), parley.close()])
    }
  },
}

/** The addresses of new bots for webhooks, as other systems get them. */
async function createBots(port: number, [owner]: readonly Person[]): Promise<string[]> {
  const connection = await HttpConnection.open(port)
  const paths: string[] = []
  for (let number = 1; number <= SYSTEMS; number++) {
    const { status, body } = await connection.ask(
      postRequest('/api/v1/bots', owner?.authorization ?? '', {
        full_name: `System ${number}`,
        short_name: `system${number}`,
        bot_type: '2',
      }),
    )
    const { api_key: key } = JSON.parse(body) as { api_key?: string }
    if (status !== 200 || key === undefined) throw new Error(`a new bot was answered with ${status}: ${body}`)
    const query = new URLSearchParams({ api_key: key, stream: 'alerts', topic: `system ${number}` })
    paths.push(`/api/v1/external/slack_incoming?${query.toString()}`)
  }
  connection.close()
  return paths
}

/** Each webhook is one message, rendered, and nothing else is in the channel. Returns their number; throws otherwise. */
async function checkPosted(databaseUrl: string, turns: readonly PostedWebhooks[]): Promise<number> {
  const marks = turns.flatMap((turn) => turn.marks)
  const sql = connect(databaseUrl, 1, 'bench')
  try {
    const [row] = await sql<{ count: number; right: number }[]>`
      select count(*)::int, count(*) filter (where posted.mark is not null)::int as "right"
      from messages m join channels c on c.id = m.channel_id and c.name = 'alerts'
        left join unnest(${marks}::int[]) as posted (mark)
          on m.content like posted.mark || ' **Load%' and m.rendered like '<p>' || posted.mark || ' <strong>%HighLoad%'
      where m.topic like 'system%'`
    if (row?.count !== marks.length || row.right !== marks.length)
      throw new Error(
        `of ${marks.length} webhooks ${row?.right} are stored as posted, in ${row?.count} messages`,
      )
  } finally {
    await sql.end()
  }
  return marks.length
}

/** W21: how long a member's sends wait while another user asks for what is refused, or a stranger reads no answer. */

import { join } from 'node:path'
import { connect } from '../../db/connection/connect.ts'
import { DRAFTS_PER_CALL_MAX, INVITATION_MAILS_OF_USER_MAX } from '../../server/domain/limits.ts'
import type { Refused, RefusalLoad } from '../load/refusal-load.ts'
import type { SendLoad, SentMessages } from '../load/send-load.ts'
import type { UnreadLoad } from '../load/unread-load.ts'
import { boundSize, type Figure } from '../measure/figure.ts'
import { percentile } from '../measure/percentile.ts'
import { sized } from '../measure/sizes.ts'
import type { Work } from '../measure/work.ts'
import { checkStored } from '../start/check-stored.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople } from '../start/create-people.ts'
import { fillLimits } from '../start/fill-limits.ts'
import { startParley } from '../start/start-parley.ts'
import { startRemote } from '../start/remote.ts'

/** The longest that anybody may hold up the sends of others, in milliseconds: a pause that people hardly notice. */
const SEND_P99_MS_MAX = 250
const LANES = 8
/** Sends of one turn: four seconds. */
const STEADY = { count: sized(100, 10), perSecond: 25 }
const WARM_UPS = sized(20, 5)
/** Enough that no send waits for the answer to another. */
const SENDERS = 100

const draft = { type: '', to: [], topic: '', content: 'a' }
const draftsOf = (content: string) => JSON.stringify(Array(DRAFTS_PER_CALL_MAX).fill({ ...draft, content }))
const addresses = Array.from(
  { length: INVITATION_MAILS_OF_USER_MAX / 2 + 1 },
  (_, index) => `guest${index}@example.com`,
)

/** Requests with the most work before their refusal. */
const REQUESTS: Readonly<Record<string, Refused>> = {
  'drafts above the limit': {
    path: '/api/v1/drafts',
    fields: { drafts: draftsOf('a') },
    message: 'Too many drafts',
  },
  'invitations above the limit of a day': {
    path: '/api/v1/invites',
    fields: { invitee_emails: addresses.join(','), stream_ids: '[]' },
    message: 'Nobody was invited: too many invitations',
  },
  'scheduled messages above the limit': {
    path: '/api/v1/scheduled_messages',
    fields: {
      type: 'direct',
      to: '[2]',
      content: '**later**',
      scheduled_delivery_timestamp: '4000000000',
    },
    message: 'Too many scheduled messages',
  },
}

/** The largest document that anybody may ask for. */
const UNREAD = { path: '/api/v1/openapi.json', connections: sized(20, 3), pipelined: 20 }

export const refusals: Work = {
  name: 'W21',
  title: `a member's send while ${LANES} connections of another user ask for what is refused, or a stranger reads no answer`,
  limit: `${SEND_P99_MS_MAX} ms`,
  async run({ createDatabase }) {
    const databaseUrl = await createDatabase()
    const [hostile, ...senders] = await createPeople(databaseUrl, SENDERS + 1)
    if (!hostile) throw new Error('there is no user')
    await fillLimits(databaseUrl, hostile.id)
    const parley = await startParley(databaseUrl)
    const sends = startRemote<SendLoad>(join(import.meta.dirname, '../load/send-load.ts'))
    const asks = startRemote<RefusalLoad>(join(import.meta.dirname, '../load/refusal-load.ts'))
    const stranger = startRemote<UnreadLoad>(join(import.meta.dirname, '../load/unread-load.ts'))
    try {
      await createChannels(parley.port, senders, ['general'])
      const authorizations = senders.map(({ authorization }) => authorization)
      await sends.call('connect', { port: parley.port, authorizations, channels: ['general'] })
      const { authorization } = hostile
      await asks.call('aim', { port: parley.port, authorization, lanes: LANES })
      const turns: SentMessages[] = [await sends.call('sendSteadily', { ...STEADY, count: WARM_UPS })]
      const figures: Figure[] = []
      for (const [name, request] of Object.entries(REQUESTS)) {
        await asks.call('start', request)
        const turn = await sends.call('sendSteadily', STEADY)
        const answers = await asks.call('stop')
        turns.push(turn)
        figures.push(boundSend(name, turn.latenciesMs, { refused: answers }))
      }
      await stranger.call('start', { port: parley.port, ...UNREAD })
      const turn = await sends.call('sendSteadily', STEADY)
      figures.push(
        boundSend('documents that nobody reads', turn.latenciesMs, { asked: await stranger.call('stop') }),
      )
      turns.push(turn)
      await checkStored(databaseUrl, turns)
      await checkNothingStored(databaseUrl)
      return figures
    } finally {
      await Promise.all([sends.close(), asks.close(), stranger.close(), parley.close()])
    }
  },
}

function boundSend(
  name: string,
  latenciesMs: readonly number[],
  requests: Readonly<Record<string, number>>,
): Figure {
  const p99 = percentile(latenciesMs, 0.99)
  return boundSize(
    name,
    p99,
    { unit: 'ms', max: SEND_P99_MS_MAX },
    { p50: percentile(latenciesMs, 0.5), max: Math.max(...latenciesMs), ...requests },
  )
}

/** Refused requests leave nothing behind: only the rows that filled the limits are there, whose ids are negative. */
async function checkNothingStored(databaseUrl: string): Promise<void> {
  const sql = connect(databaseUrl, 1, 'parley-bench')
  try {
    const [row] = await sql<{ count: number }[]>`
      select ((select count(*) from drafts where id > 0) + (select count(*) from scheduled_messages where id > 0)
        + (select count(*) from invitations))::int as count`
    if (row?.count !== 0) throw new Error(`refused requests have stored ${row?.count} rows`)
  } finally {
    await sql.end()
  }
}

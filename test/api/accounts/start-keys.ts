/** A server with channels, and people whose programs get keys. */

import type { Test } from 'tap'
import { Client, type Fields } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

export interface MadeKey {
  readonly id: string
  readonly key: string
  /** The program that has the key. */
  readonly program: Client
}

/** Starts the server. `member` is in the channels `general` and `other`, and not in `hidden`, which is private. */
export async function startKeys(t: Test) {
  const clock = new ManualClock()
  const server = await startTestServer(t, { clock, env: { RATE_LIMIT_LOGINS_PER_MINUTE: '1000' } })
  const { url } = server.node
  const owner = server.as('owner')
  await owner.subscribe(['general', 'other'], { principals: [1, 4, 5] })
  await owner.subscribe(['hidden'], { principals: [1], invite_only: true })
  const channelId = async (stream: string) =>
    (await owner.must('GET', '/get_stream_id', { stream })).stream_id
  let count = 0

  /** Makes a key of a person, or of a bot of theirs. */
  async function makeKey(
    holder: Client,
    scope: string,
    more: Fields = {},
    manager = holder,
  ): Promise<MadeKey> {
    const path = manager === holder ? '/users/me/keys' : `/bots/${holder.userId}/keys`
    const { id, api_key: key } = await manager.must('POST', path as '/users/me/keys', {
      name: `Program ${++count}`,
      scope,
      ...more,
    })
    return { id, key, program: new Client(url, holder.userId, holder.email, key) }
  }

  async function makeBot(manager: Client, bot_type = 1): Promise<Client> {
    const { user_id: id, api_key: key } = await manager.must('POST', '/bots', {
      full_name: `Bot ${++count}`,
      short_name: `bot${count}`,
      bot_type,
    })
    const { user } = await owner.must('GET', `/users/${id}`)
    return new Client(url, id, user.email, key)
  }

  const isNoKey = (answer: { status: number; body: object }) =>
    expectRefusal(t, answer as never, 'Invalid API key', { status: 401, code: 'UNAUTHORIZED' })
  const ids = {
    GENERAL: await channelId('general'),
    OTHER: await channelId('other'),
    HIDDEN: await channelId('hidden'),
  }
  return { clock, server, url, makeKey, makeBot, isNoKey, ...ids }
}

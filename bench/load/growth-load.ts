/** A process that sends, registers and reports its presence as one client, each after the answer before. */

import { gunzipSync } from 'node:zlib'
import { serveCalls } from '../start/remote.ts'
import { HttpConnection, postRequest } from './http-connection.ts'
import { makeContent } from './make-content.ts'

/** A user of one server. */
export interface GrowthTarget {
  readonly port: number
  readonly authorization: string
  readonly channel: string
  readonly users: number
  readonly channels: number
}

const connections = new Map<number, HttpConnection>()
const knownPresence = new Map<number, number>()
let nextMark = 1

const calls = {
  /** Milliseconds of each send. */
  async send(target: GrowthTarget, count: number): Promise<number[]> {
    return repeat(count, target, () => {
      const content = makeContent(5 * nextMark++)
      const fields = { type: 'channel', to: JSON.stringify(target.channel), topic: 'growth', content }
      return postRequest('/api/v1/messages', target.authorization, fields)
    })
  },

  /** Milliseconds of each registration; the last reply must have all users and channels. */
  async register(target: GrowthTarget, count: number): Promise<number[]> {
    const fields = {
      include_subscribers: 'partial',
      slim_presence: 'true',
      client_capabilities: JSON.stringify({ notification_settings_null: true, user_settings_object: true }),
    }
    const request = postRequest('/api/v1/register', target.authorization, fields, 'Accept-Encoding: gzip\r\n')
    let last: Buffer = Buffer.alloc(0)
    const latenciesMs = await repeat(
      count,
      target,
      () => request,
      (body) => {
        last = Buffer.from(body)
      },
    )
    checkRegistration(last, target)
    return latenciesMs
  },

  /** Milliseconds of each report, whose reply has the changes since the one before. */
  async report(target: GrowthTarget, count: number): Promise<number[]> {
    return repeat(
      count,
      target,
      () =>
        postRequest('/api/v1/users/me/presence', target.authorization, {
          status: 'active',
          last_update_id: String(knownPresence.get(target.port) ?? -1),
        }),
      (body) => {
        const reply = JSON.parse(body.toString('utf8')) as {
          presences: Record<string, unknown>
          presence_last_update_id: number
        }
        if (Object.keys(reply.presences).length > 1) throw new Error('others reported a presence')
        knownPresence.set(target.port, reply.presence_last_update_id)
      },
    )
  },
}

/** Sends one request after another; `take` gets each body, outside of its time. */
async function repeat(
  count: number,
  { port }: GrowthTarget,
  makeRequest: () => string,
  take: (body: Buffer) => void = () => {},
): Promise<number[]> {
  const connection = connections.get(port) ?? (await HttpConnection.open(port))
  connections.set(port, connection)
  const latenciesMs: number[] = []
  for (let number = 0; number < count; number++) {
    const request = makeRequest()
    const startMs = performance.now()
    await new Promise<void>((resolve, reject) => {
      connection.onLost = (reason) => reject(new Error(reason))
      connection.send(request, (status, body) => {
        latenciesMs.push(performance.now() - startMs)
        if (status !== 200) return reject(new Error(`answered ${status}: ${body.toString('latin1', 0, 500)}`))
        take(body)
        resolve()
      })
    })
  }
  return latenciesMs
}

function checkRegistration(body: Buffer, { users, channels }: GrowthTarget): void {
  const isPacked = body[0] === 0x1f
  const state = JSON.parse((isPacked ? gunzipSync(body) : body).toString('utf8')) as {
    realm_users: readonly unknown[]
    streams: readonly unknown[]
  }
  if (state.realm_users.length !== users || state.streams.length !== channels)
    throw new Error(`a registration had ${state.realm_users.length} users, ${state.streams.length} channels`)
}

export type GrowthLoad = typeof calls
serveCalls(calls)

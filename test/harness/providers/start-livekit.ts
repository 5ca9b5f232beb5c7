/** A server that answers `RoomService` as LiveKit does: Twirp with JSON, for tokens with the right to manage the room. */

import { createServer } from 'node:http'
import { TokenVerifier } from 'livekit-server-sdk'
import type { TestContext } from '../databases/create-database.ts'
import { listenLocally } from '../servers/listen-locally.ts'

const KEY = 'APItest'
const SECRET = 'a secret of thirty-two characters'

/** A participant as LiveKit answers it. */
export interface Participant {
  readonly identity: string
  readonly state?: 'ACTIVE' | 'JOINED' | 'DISCONNECTED'
  readonly kind?: 'STANDARD' | 'SIP' | 'EGRESS' | 'AGENT'
}

export async function startLiveKit(t: TestContext) {
  /** The rooms that exist. */
  const rooms = new Map<string, readonly Participant[]>()
  /** The answers to the next requests, instead of its own. */
  const odd: { readonly status: number; readonly body?: string; readonly location?: string }[] = []
  const asked: string[] = []
  const verifier = new TokenVerifier(KEY, SECRET)
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    const serve = async () => {
      const chunks: Uint8Array[] = []
      for await (const chunk of request) chunks.push(chunk as Uint8Array)
      const other = odd.shift()
      if (other) {
        if (other.location !== undefined) response.setHeader('location', other.location)
        return answer(other.status, other.body ?? '')
      }
      if (request.method !== 'POST' || request.url !== '/twirp/livekit.RoomService/ListParticipants')
        return answer(404, { code: 'bad_route', msg: 'no handler' })
      const { room } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly room: string }
      asked.push(room)
      const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
      const { video } = await verifier.verify(token).catch(() => ({ video: undefined }))
      if (!video?.roomAdmin || video.room !== room)
        return answer(401, { code: 'unauthenticated', msg: 'permissions denied' })
      const participants = rooms.get(room)
      if (!participants) return answer(404, { code: 'not_found', msg: 'requested room does not exist' })
      return answer(200, {
        participants: participants.map((one) => ({ sid: 'PA_x', state: 'ACTIVE', name: 'A name', ...one })),
      })
    }
    void serve()
  })
  const url = await listenLocally(t, server)
  return {
    rooms,
    odd,
    asked,
    env: {
      LIVEKIT_URL: url.replace('http', 'ws'),
      LIVEKIT_API_KEY: KEY,
      LIVEKIT_API_SECRET: SECRET,
      LIVEKIT_MEET_URL: 'https://meet.example.com/',
    },
  }
}

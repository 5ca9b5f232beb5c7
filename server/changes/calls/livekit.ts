/**
 * Rooms of a LiveKit server. LiveKit makes a room when the first person joins, and lets everybody in who has a token, so
 * this server only signs tokens: a JWT (RFC 7519, HS256) with LiveKit's claim `video`, for one person and one room.
 */

import { createHmac, randomBytes } from 'node:crypto'
import type { User } from '../../domain/entities.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import type { LiveKitSettings } from '../../domain/organization/call-provider.ts'
import { ProviderFailureError, readBounded } from './call-provider.ts'
import { ANSWER_BYTES_MAX, ANSWER_MS_MAX, gatherPeople, type PeopleInCall } from './people-in-call.ts'
import { openLink, sealLink } from '../sealed-link.ts'

/** Seconds in which a person must have connected; LiveKit renews the token of a person who is in the room. */
const TOKEN_SECONDS = 600
/** Seconds by which the clocks of the two servers may differ. */
const CLOCK_SECONDS = 60
/** Random bytes of a room's name: nobody guesses another room. */
const NAME_BYTES = 15
const LINK_USE = 'links of rooms'

/** A call in a conversation, whose permissions are those of the call. */
export interface RoomCall {
  /** The name of its room at LiveKit. */
  readonly room: string
  readonly place:
    | { readonly kind: 'channel'; readonly channelId: ChannelId }
    /** Ascending. */
    | { readonly kind: 'direct'; readonly userIds: readonly UserId[] }
}

export function newRoomCall(place: RoomCall['place']): RoomCall {
  return { room: `parley-${randomBytes(NAME_BYTES).toString('base64url')}`, place }
}

/** A call as a signed text for its link. @param secret the one of addresses. */
export function sealRoomCall(secret: Uint8Array, { room, place }: RoomCall): string {
  return sealLink(secret, LINK_USE, [room, place.kind === 'channel' ? place.channelId : place.userIds])
}

/** The call of a link; undefined if this server did not sign it. */
export function openRoomCall(secret: Uint8Array, sealed: string): RoomCall | undefined {
  const value = openLink(secret, LINK_USE, sealed)
  if (value === undefined) return undefined
  const [room, to] = value as [string, ChannelId | UserId[]]
  return {
    room,
    place: typeof to === 'number' ? { kind: 'channel', channelId: to } : { kind: 'direct', userIds: to },
  }
}

/** The right to be in a room. */
interface Admission {
  readonly user: Pick<User, 'id' | 'fullName'>
  readonly room: string
  /** Whether they may speak, show themselves and write there, or only listen. */
  readonly canPublish: boolean
}

/** A token that LiveKit takes for ten minutes. */
export function signRoomToken(
  { apiKey, apiSecret }: LiveKitSettings,
  { user, room, canPublish }: Admission,
  nowMs: number,
): string {
  return sign({ apiKey, apiSecret }, nowMs, {
    sub: String(user.id),
    name: user.fullName,
    video: { room, roomJoin: true, canSubscribe: true, canPublish, canPublishData: canPublish },
  })
}

function sign(
  { apiKey, apiSecret }: Pick<LiveKitSettings, 'apiKey' | 'apiSecret'>,
  nowMs: number,
  given: object,
): string {
  const nowSeconds = Math.floor(nowMs / 1000)
  const claims = { iss: apiKey, nbf: nowSeconds - CLOCK_SECONDS, exp: nowSeconds + TOKEN_SECONDS, ...given }
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims].map(encode).join('.')
  return `${text}.${createHmac('sha256', apiSecret).update(text).digest('base64url')}`
}

/** The kinds of participants that are no people: programs of LiveKit, by its names and by its numbers. */
const PROGRAM_KINDS: readonly unknown[] = ['INGRESS', 'EGRESS', 'AGENT', 'CONNECTOR', 'BRIDGE', 1, 2, 4, 7, 8]

/**
 * The people in a room, by LiveKit's `RoomService` (Twirp with JSON); nobody if there is no such room. Rejects with a
 * `ProviderFailureError` if it cannot be reached or refuses.
 */
export async function listRoomPeople(
  settings: LiveKitSettings,
  room: string,
  nowMs: number,
): Promise<PeopleInCall> {
  const url = `${settings.url.replace(/^ws/, 'http')}/twirp/livekit.RoomService/ListParticipants`
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sign(settings, nowMs, { video: { room, roomAdmin: true } })}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ room }),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    })
    const text = await readBounded(response, ANSWER_BYTES_MAX)
    // Another server answers 404 as well, in another form.
    if (response.status === 404 && text.includes('"not_found"')) return gatherPeople([])
    if (!response.ok)
      throw new ProviderFailureError(`the people of a room were answered with ${response.status}`)
    const { participants = [] } = JSON.parse(text) as {
      readonly participants?: readonly {
        readonly identity?: unknown
        readonly kind?: unknown
        readonly state?: unknown
      }[]
    }
    return gatherPeople(
      participants
        .filter(({ kind, state }) => !PROGRAM_KINDS.includes(kind) && state !== 'DISCONNECTED' && state !== 3)
        .map(({ identity }) => identity),
    )
  } catch (error) {
    if (error instanceof ProviderFailureError) throw error
    throw new ProviderFailureError(`no answer of ${new URL(url).host}`, { cause: error })
  }
}

/** The page of the front end at which a person with a token is in the room, in the form of LiveKit Meet. */
export function roomAddress({ url, meetUrl }: LiveKitSettings, token: string): string {
  return `${meetUrl}/custom?${new URLSearchParams({ liveKitUrl: url, token }).toString()}`
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

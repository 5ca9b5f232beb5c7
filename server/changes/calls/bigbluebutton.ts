/**
 * Meetings of a BigBlueButton server. A meeting is made when the first person joins, so its link is all that this server
 * hands out: the link has the name and id of the meeting, signed, and there is no row of it.
 */

import { hash, randomBytes } from 'node:crypto'
import type { User } from '../../domain/entities.ts'
import type { BigBlueButtonSettings } from '../../domain/organization/call-provider.ts'
import { ProviderFailureError, readBounded } from './call-provider.ts'
import { openLink, sealLink } from './sealed-link.ts'

/** Milliseconds for one answer: somebody waits for the page. */
const ANSWER_MS_MAX = 10_000
const LINK_USE = 'links of meetings'
/** Random bytes of a meeting's id: nobody guesses another meeting. */
const ID_BYTES = 15

/** A meeting. */
export interface Meeting {
  readonly id: string
  readonly name: string
  /** Whether cameras stay off. */
  readonly isVoiceOnly: boolean
  /** The user who made it: a moderator of the meeting. */
  readonly creatorId: number
}

export function newMeeting(given: Omit<Meeting, 'id'>): Meeting {
  return { ...given, id: `parley-${randomBytes(ID_BYTES).toString('base64url')}` }
}

/** A meeting as a signed text for its link. @param secret the one of addresses, which all processes share. */
export function sealMeeting(secret: Uint8Array, meeting: Meeting): string {
  const { id, name, isVoiceOnly, creatorId } = meeting
  return sealLink(secret, LINK_USE, [id, name, isVoiceOnly, creatorId])
}

/** The meeting of a link; undefined if this server did not sign it. */
export function openMeeting(secret: Uint8Array, sealed: string): Meeting | undefined {
  const value = openLink(secret, LINK_USE, sealed)
  if (value === undefined) return undefined
  const [id, name, isVoiceOnly, creatorId] = value as [string, string, boolean, number]
  return { id, name, isVoiceOnly, creatorId }
}

/**
 * Makes the meeting unless it runs, and answers the address at which this user is in it. Rejects with a
 * `ProviderFailureError` if the server cannot be reached or refuses.
 */
export async function enterMeeting(
  settings: BigBlueButtonSettings,
  meeting: Meeting,
  user: Pick<User, 'id' | 'fullName'>,
): Promise<string> {
  const created = await ask(
    addressOf(settings, 'create', {
      meetingID: meeting.id,
      name: meeting.name,
      lockSettingsDisableCam: String(meeting.isVoiceOnly),
    }),
  )
  return addressOf(settings, 'join', {
    meetingID: meeting.id,
    role: meeting.creatorId === user.id ? 'MODERATOR' : 'VIEWER',
    fullName: user.fullName,
    userID: String(user.id),
    createTime: created,
  })
}

/** The address of a call of its API, with the checksum over the very bytes of the query. */
export function addressOf(
  { url, secret }: BigBlueButtonSettings,
  call: string,
  fields: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams(fields).toString()
  return `${url}/api/${call}?${query}&checksum=${hash('sha256', call + query + secret)}`
}

/** Makes a meeting; answers the time of its making, which binds a link to this meeting alone. */
async function ask(address: string): Promise<string> {
  const { host } = new URL(address)
  try {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    const text = await readBounded(response)
    const createTime = /<createTime>(\d{1,20})<\/createTime>/.exec(text)?.[1]
    if (response.ok && text.includes('<returncode>SUCCESS</returncode>') && createTime !== undefined)
      return createTime
    const reason = /<messageKey>(\w{1,60})<\/messageKey>/.exec(text)?.[1] ?? 'no reason'
    throw new ProviderFailureError(`a meeting was answered with ${response.status}, ${reason}`)
  } catch (error) {
    if (error instanceof ProviderFailureError) throw error
    // The cause may name the address, whose checksum opens the meeting.
    throw new ProviderFailureError(`no answer of ${host}`)
  }
}

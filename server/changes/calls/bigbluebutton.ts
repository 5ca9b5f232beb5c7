/**
 * Meetings of a BigBlueButton server. A meeting is made when the first person joins, so its link is all that this server
 * hands out: the link has the name and id of the meeting, signed, and there is no row of it.
 */

import { hash, randomBytes } from 'node:crypto'
import type { User } from '../../domain/entities.ts'
import type { BigBlueButtonSettings } from '../../domain/organization/call-provider.ts'
import { ProviderFailureError, readBounded } from './call-provider.ts'
import { ANSWER_BYTES_MAX, ANSWER_MS_MAX, gatherPeople, type PeopleInCall } from './people-in-call.ts'
import { openLink, sealLink } from '../sealed-link.ts'

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
  const created = await create(
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

/**
 * The people in a meeting; nobody if there is no such meeting. Rejects with a `ProviderFailureError` if the server cannot be
 * reached or refuses.
 */
export async function listMeetingPeople(settings: BigBlueButtonSettings, id: string): Promise<PeopleInCall> {
  const { isDone, text, reason } = await ask(
    addressOf(settings, 'getMeetingInfo', { meetingID: id }),
    ANSWER_BYTES_MAX,
  )
  if (reason === 'notFound') return gatherPeople([])
  if (!isDone) throw new ProviderFailureError(`the people of a meeting were answered with ${reason}`)
  const attendees = withoutCharacterData(text).split('<attendee>').slice(1)
  return gatherPeople(attendees.map((one) => /^\s*<userID>(\d{1,20})<\/userID>/.exec(one)?.[1]))
}

/** XML without its CDATA sections: a name in one could pass for elements. */
function withoutCharacterData(xml: string): string {
  const [first = '', ...parts] = xml.split('<![CDATA[')
  return first + parts.map((part) => part.slice(part.indexOf(']]>') + ']]>'.length)).join('')
}

/** Makes a meeting; answers the time of its making, which binds a link to this meeting alone. */
async function create(address: string): Promise<string> {
  const { isDone, text, reason } = await ask(address)
  const createTime = /<createTime>(\d{1,20})<\/createTime>/.exec(text)?.[1]
  if (isDone && createTime !== undefined) return createTime
  throw new ProviderFailureError(`a meeting was answered with ${reason}`)
}

async function ask(address: string, bytesMax?: number) {
  const { host } = new URL(address)
  try {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    const text = await readBounded(response, bytesMax)
    return {
      isDone: response.ok && text.includes('<returncode>SUCCESS</returncode>'),
      text,
      reason: /<messageKey>(\w{1,60})<\/messageKey>/.exec(text)?.[1] ?? `${response.status}, no reason`,
    }
  } catch (error) {
    if (error instanceof ProviderFailureError) throw error
    // The cause may name the address, whose checksum opens the meeting.
    throw new ProviderFailureError(`no answer of ${host}`)
  }
}

/** Tries the servers of video calls, by the requests that calls make. No meeting begins. */

import { listMeetingPeople } from '../changes/calls/bigbluebutton.ts'
import { exchangeCode, GrantRefusedError } from '../changes/calls/call-provider.ts'
import { listRoomPeople } from '../changes/calls/livekit.ts'
import type { Clock } from '../domain/clock.ts'
import type {
  BigBlueButtonSettings,
  CallProviderSettings,
  LiveKitSettings,
} from '../domain/organization/call-provider.ts'
import type { Checked } from './finding.ts'

/** The name of a meeting, a room and a code that do not exist. */
const NOTHING = 'parley-check'

/** Asks who is in a meeting that does not exist: the server answers so only to its secret. */
export async function checkBigBlueButton(settings: BigBlueButtonSettings): Promise<Checked> {
  await listMeetingPeople(settings, NOTHING)
  return `${new URL(settings.url).host} takes the secret`
}

/** The same of a room: the server answers only to its key. */
export async function checkLiveKit(settings: LiveKitSettings, clock: Clock): Promise<Checked> {
  await listRoomPeople(settings, NOTHING, clock.nowMs())
  return `${new URL(settings.url).host} takes the key; people join at ${new URL(settings.meetUrl).host}`
}

/** Hands in a code that the provider never gave: it refuses the code if it takes the client, and else the client. */
export async function checkCallProvider(settings: CallProviderSettings, publicUrl: string): Promise<Checked> {
  const { host } = new URL(settings.url)
  try {
    await exchangeCode(settings, NOTHING, `${publicUrl}/calls/provider/complete`)
  } catch (error) {
    if (error instanceof GrantRefusedError) return `${host} takes the client's secret; grants show at a call`
    throw error
  }
  return `${host} answers`
}

/** The reason of a failure, which has no secret, and the settings to look at. */
export function explainCalls(settings: string, error: unknown): string {
  return `${(error as Error).message}; look at ${settings}, and at firewalls`
}

/** Reads the link of a call at a provider that says who is in it. */

import { readAddressSecret } from '../../../db/accounts/signing-secrets.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import { type CallAtProvider, JOIN_ROOM_PATH } from '../../domain/messages/call-links.ts'
import { openMeeting } from './bigbluebutton.ts'
import { openRoomCall } from './livekit.ts'

/** The call of a link; undefined if this server did not sign it. */
export async function readCallLink(sql: Sql, url: string): Promise<CallAtProvider | undefined> {
  const { pathname, searchParams } = new URL(url)
  const secret = await readAddressSecret(sql)
  if (pathname === JOIN_ROOM_PATH) {
    const call = openRoomCall(secret, searchParams.get('call') ?? '')
    if (!call) return undefined
    const { room, place } = call
    return { provider: 'livekit', room, place: place.kind === 'channel' ? place.channelId : place.userIds }
  }
  const meeting = openMeeting(secret, searchParams.get('bigbluebutton') ?? '')
  return meeting && { provider: 'bigbluebutton', room: meeting.id, place: null }
}

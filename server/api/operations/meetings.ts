/** Meetings of a BigBlueButton server. */

import { readAddressSecret } from '../../../db/accounts/signing-secrets.ts'
import { watchCall } from '../../../db/messages/call-messages.ts'
import { enterMeeting, newMeeting, openMeeting, sealMeeting } from '../../changes/calls/bigbluebutton.ts'
import { ProviderFailureError } from '../../changes/calls/call-provider.ts'
import type { User } from '../../domain/entities.ts'
import { STRING } from '../../domain/json-schema.ts'
import { JOIN_MEETING_PATH } from '../../domain/messages/call-links.ts'
import { fail } from '../../errors/api-error.ts'
import { operation } from '../operation.ts'
import { boolean, defaulted, required, text } from '../params.ts'
import type { Services } from '../services.ts'

/** Characters of a name: BigBlueButton takes 256, and a channel with a topic has fewer. */
const NAME_LENGTH_MAX = 250

/** `GET /calls/bigbluebutton/create`: a link to a new meeting. */
export const createMeeting = operation({
  method: 'GET',
  path: '/calls/bigbluebutton/create',
  summary: 'Create a meeting at BigBlueButton',
  description:
    'Returns a link to a new meeting, to send in a message. It opens in a browser that is logged in: users of the ' +
    'organization join under their name, and the caller as a moderator.',
  access: 'user',
  params: {
    meeting_name: required(
      text({ lengthMax: NAME_LENGTH_MAX, trim: true, blank: false }),
      'The name of the meeting, for people.',
    ),
    voice_only: defaulted(boolean(), false, 'Whether cameras stay disabled.'),
  },
  reply: { url: { schema: STRING, description: 'The path of the link on this server.' } },
  errors: ['BIGBLUEBUTTON_NOT_CONFIGURED'],
  events: [],
  async run({ user, params, services, fail }) {
    if (!services.bigBlueButton) throw fail('BIGBLUEBUTTON_NOT_CONFIGURED')
    const { meeting_name: name, voice_only: isVoiceOnly } = params
    const meeting = newMeeting({ name, isVoiceOnly, creatorId: user.id })
    const sealed = sealMeeting(await readAddressSecret(services.sql), meeting)
    return { url: `${JOIN_MEETING_PATH}?${new URLSearchParams({ bigbluebutton: sealed }).toString()}` }
  },
})

/** The address at which a user is in the meeting of a link; undefined for a link that this server did not make. */
export async function joinMeeting(
  services: Services,
  user: User,
  sealed: string,
): Promise<string | undefined> {
  const { bigBlueButton, sql, onError } = services
  if (!bigBlueButton) throw fail('BIGBLUEBUTTON_NOT_CONFIGURED')
  const meeting = openMeeting(await readAddressSecret(sql), sealed)
  if (!meeting) return undefined
  try {
    const address = await enterMeeting(bigBlueButton, meeting, user)
    await watchCall(sql, { provider: 'bigbluebutton', room: meeting.id })
    return address
  } catch (error) {
    if (!(error instanceof ProviderFailureError)) throw error
    onError(error)
    throw fail('CALL_FAILED')
  }
}

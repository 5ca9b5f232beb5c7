/** The pages behind the links of calls: each leads users into a call under their name. */

import { joinMeeting } from '../../api/operations/meetings.ts'
import { joinRoom } from '../../api/operations/rooms.ts'
import type { Services } from '../../api/services.ts'
import type { User } from '../../domain/entities.ts'
import { JOIN_MEETING_PATH, JOIN_ROOM_PATH } from '../../domain/messages/call-links.ts'
import { ApiError } from '../../errors/api-error.ts'
import { htmlPage, redirectPage } from '../html.ts'
import { problem } from './parts.ts'
import { LOG_IN_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

interface CallLink {
  /** The field of its query. */
  readonly field: string
  /** The address at which a user is in the call; undefined if the link has none for them. */
  readonly join: (services: Services, user: User, sealed: string) => Promise<string | undefined>
}

const LINKS: ReadonlyMap<string, CallLink> = new Map([
  [JOIN_MEETING_PATH, { field: 'bigbluebutton', join: joinMeeting }],
  [JOIN_ROOM_PATH, { field: 'call', join: joinRoom }],
])

export function isJoinMeetingPath(path: string): boolean {
  return LINKS.has(path)
}

/** Changes nothing here, so a browser that opens links in advance does no harm. */
export const serveJoinMeeting: ServeForm = async ({ path, fields, exchange, texts: { t } }, services) => {
  const link = LINKS.get(path)
  if (!link) throw new Error(`no call at ${path}`)
  const sealed = fields.get(link.field) ?? ''
  const session = exchange.cookies.findSession()
  if (!session) {
    const next = `${path}?${new URLSearchParams({ [link.field]: sealed }).toString()}`
    return redirectPage(`${LOG_IN_PATH}?next=${encodeURIComponent(next)}`)
  }
  const fail = (status: number, text: string) => htmlPage(status, t('Video calls'), problem({ text }))
  try {
    const address = await link.join(services, services.state.getUser(session.userId), sealed)
    return address === undefined
      ? fail(400, t('This link has no call. Start the call again.'))
      : redirectPage(address)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.errorName === 'CALL_FAILED'
      ? fail(502, t('The provider does not respond. Try again later.'))
      : fail(400, t('This server has no provider for such calls any more.'))
  }
}

/** The page behind the link of a meeting: it leads users into the meeting under their name. */

import { JOIN_MEETING_PATH, joinMeeting } from '../../api/operations/meetings.ts'
import { ApiError } from '../../errors/api-error.ts'
import { htmlPage, redirectPage } from '../html.ts'
import { problem } from './parts.ts'
import { LOG_IN_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

export function isJoinMeetingPath(path: string): boolean {
  return path === JOIN_MEETING_PATH
}

/** Changes nothing here, so a browser that opens links in advance does no harm. */
export const serveJoinMeeting: ServeForm = async ({ fields, exchange, texts: { t } }, services) => {
  const sealed = fields.get('bigbluebutton') ?? ''
  const session = exchange.cookies.findSession()
  if (!session) {
    const next = `${JOIN_MEETING_PATH}?${new URLSearchParams({ bigbluebutton: sealed }).toString()}`
    return redirectPage(`${LOG_IN_PATH}?next=${encodeURIComponent(next)}`)
  }
  const fail = (status: number, text: string) => htmlPage(status, t('Video calls'), problem({ text }))
  try {
    const address = await joinMeeting(services, services.state.getUser(session.userId), sealed)
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

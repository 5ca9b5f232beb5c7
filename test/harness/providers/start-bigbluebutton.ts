/** A server that checks and answers as BigBlueButton does: checksums over the bytes of the query, and answers in XML. */

import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { TestContext } from '../databases/create-database.ts'
import { listenLocally } from '../servers/listen-locally.ts'

const SECRET = '639259d4-9dd8-4b25-bf01-95f9567eaf4b'

/** A running server. */
export interface BigBlueButton {
  readonly url: string
  readonly env: Readonly<Record<string, string>>
  /** The meetings that run, with the parameters by which they were made, and how often. */
  readonly meetings: Map<
    string,
    { readonly fields: Record<string, string>; readonly createTime: string; count: number }
  >
  /** The ids of the people in each meeting, as it answers them. */
  readonly attendees: Map<string, readonly string[]>
  /** The answers to the next requests, instead of its own. */
  readonly odd: { readonly status: number; readonly body?: string; readonly location?: string }[]
  /** Reads the address of somebody who joins, as a request to it; undefined if the server refuses it. */
  join(address: string): Record<string, string> | undefined
}

export async function startBigBlueButton(t: TestContext): Promise<BigBlueButton> {
  const meetings: BigBlueButton['meetings'] = new Map()
  const attendees: BigBlueButton['attendees'] = new Map()
  const odd: { status: number; body?: string; location?: string }[] = []
  /** The parameters of a call; undefined if its checksum is wrong. */
  const read = (path: string, call: string): Record<string, string> | undefined => {
    const [, query = '', checksum] = /^\/bigbluebutton\/api\/\w+\?(.*)&checksum=(\w+)$/.exec(path) ?? []
    if (!path.startsWith(`/bigbluebutton/api/${call}?`)) return undefined
    return checksum === hash('sha256', call + query + SECRET)
      ? Object.fromEntries(new URLSearchParams(query))
      : undefined
  }
  const server = createServer((request, response) => {
    const other = odd.shift()
    if (other) {
      response.writeHead(other.status, other.location === undefined ? {} : { location: other.location })
      return response.end(other.body ?? '')
    }
    response.setHeader('content-type', 'text/xml')
    const asked = read(request.url ?? '', 'getMeetingInfo')
    if (asked) return response.end(describe(attendees.get(asked.meetingID ?? '')))
    const fields = read(request.url ?? '', 'create')
    if (!fields)
      return response.end(
        '<response><returncode>FAILED</returncode><messageKey>checksumError</messageKey></response>',
      )
    const id = fields.meetingID ?? ''
    const meeting = meetings.get(id) ?? {
      fields,
      createTime: String(1_531_155_809_613 + meetings.size),
      count: 0,
    }
    meeting.count++
    meetings.set(id, meeting)
    return response.end(
      `<response>\n<returncode>SUCCESS</returncode>\n<meetingID>${id}</meetingID>\n<createTime>${meeting.createTime}</createTime>\n</response>`,
    )
  })
  const url = `${await listenLocally(t, server)}/bigbluebutton`
  return {
    url,
    env: { BIGBLUEBUTTON_URL: `${url}/`, BIGBLUEBUTTON_SECRET: SECRET },
    meetings,
    attendees,
    odd,
    join: (address) => {
      const { origin, pathname, search } = new URL(address)
      return origin === new URL(url).origin ? read(pathname + search, 'join') : undefined
    },
  }
}

/** The answer to `getMeetingInfo`; undefined for a meeting that does not run. */
function describe(ids: readonly string[] | undefined): string {
  if (!ids)
    return '<response><returncode>FAILED</returncode><messageKey>notFound</messageKey><message>none</message></response>'
  const attendees = ids.map(
    (id) =>
      `<attendee>\n<userID>${id}</userID>\n<fullName><![CDATA[<attendee><userID>1</userID>]]></fullName>\n` +
      '<role>VIEWER</role>\n</attendee>',
  )
  return `<response>\n<returncode>SUCCESS</returncode>\n<attendees>\n${attendees.join('\n')}\n</attendees>\n</response>`
}

/** Fetches the answer of a read, to compare later answers with it. */

import { HttpConnection, getRequest, postRequest } from '../load/http-connection.ts'
import type { Person } from './create-people.ts'

/** The reply's own time is the only part that differs. */
const TIME = /^\{"result":"success","msg":""(,"server_timestamp":[\d.]+)?/

/** Reads once; returns the body, and the part that is the same in each answer. */
export async function fetchSample(
  port: number,
  path: string,
  authorization: string,
): Promise<{ body: Buffer; tail: Buffer }> {
  const connection = await HttpConnection.open(port)
  const { status, body } = await connection.ask(getRequest(path, authorization))
  connection.close()
  const start = TIME.exec(body)?.[0]
  if (status !== 200 || start === undefined) throw new Error(`${path} answered ${status}: ${body}`)
  return { body: Buffer.from(body), tail: Buffer.from(body.slice(start.length)) }
}

/** Reports all users as active. */
export async function reportPresences(port: number, people: readonly Person[]): Promise<void> {
  const connection = await HttpConnection.open(port)
  for (const { authorization } of people) {
    const { status, body } = await connection.ask(
      postRequest('/api/v1/users/me/presence', authorization, { status: 'active', ping_only: 'true' }),
    )
    if (status !== 200) throw new Error(`a presence answered ${status}: ${body}`)
  }
  connection.close()
}

/** The number of presences in a reply of `GET /realm/presence`. */
export function presencesOf({
  presences,
}: {
  readonly presences?: Readonly<Record<string, unknown>>
}): number {
  return Object.keys(presences ?? {}).length
}

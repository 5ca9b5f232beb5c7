/** Creates the channels of a benchmark, as a client would. */

import { HttpConnection, postRequest } from '../load/http-connection.ts'
import type { Person } from './create-people.ts'

/** Subscribes all users to channels that the first one creates. */
export async function createChannels(
  port: number,
  people: readonly Person[],
  names: readonly string[],
): Promise<void> {
  const connection = await HttpConnection.open(port)
  for (const name of names) {
    const { status, body } = await connection.ask(
      postRequest('/api/v1/users/me/subscriptions', people[0]?.authorization ?? '', {
        subscriptions: JSON.stringify([{ name }]),
        principals: JSON.stringify(people.map(({ id }) => id)),
      }),
    )
    if (status !== 200) throw new Error(`subscribing answered ${status}: ${body}`)
  }
  connection.close()
}

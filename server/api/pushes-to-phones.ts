/** Whether messages are pushed to the phones of the API family. */

import { readRelayAnswer } from '../../db/notifications/relay-state.ts'
import type { Services } from './services.ts'

/** There must be a relay, and it must have said that it serves the organization. */
export async function pushesToPhones({ hasPushRelay, sql }: Services): Promise<boolean> {
  return hasPushRelay && (await readRelayAnswer(sql))
}

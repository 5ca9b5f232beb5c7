/** Whether messages are pushed to the phones of the API family. */

import type { Services } from './services.ts'

/** There must be a relay, and it must have said that it serves the organization. */
export function pushesToPhones({ hasPushRelay, state }: Pick<Services, 'hasPushRelay' | 'state'>): boolean {
  return hasPushRelay && state.reachesPhones
}

/** Destinations that requests to addresses of users may reach. */

import type { Networks } from './rate-limits.ts'

/** Destinations inside the operator's own networks that such requests may reach, on any port; none by default. */
export interface OutboundSettings {
  readonly networks: Networks | undefined
  /** Names of hosts in lower case. */
  readonly hosts: readonly string[]
}

/** How many requests are served. */

/** Networks, as `BlockList` of `node:net` holds them. */
export interface Networks {
  check(address: string, family: 'ipv4' | 'ipv6'): boolean
}

/** Limits in requests per minute. */
export interface RateLimits {
  readonly perUser: number
  readonly perAddress: number
  /** Log-in attempts from one address. */
  readonly logins: number
  /** Networks of the operator, with many people behind one address: log-ins count for each account instead. */
  readonly ownNetworks?: Networks | undefined
}

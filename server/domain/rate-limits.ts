/** How many requests are served. */

/** Limits in requests per minute. */
export interface RateLimits {
  readonly perUser: number
  readonly perAddress: number
  /** Log-in attempts from one address. */
  readonly logins: number
}

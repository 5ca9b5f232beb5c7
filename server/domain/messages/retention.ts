/** How long messages are kept: the setting of their channel, or else that of the organization. */

import { DAY_SECONDS } from './weekly-traffic.ts'

/** The value of both settings that keeps messages forever. */
const FOREVER = -1

/** Days for which the messages of a place are kept, by its own setting (null if it inherits); undefined for ever. */
export function retentionDaysOf(own: number | null, inherited: number): number | undefined {
  const days = own ?? inherited
  return days === FOREVER ? undefined : days
}

/** The time in UNIX seconds before which messages have expired that are kept for some days. */
export function expiryOf(days: number, nowSeconds: number): number {
  return nowSeconds - days * DAY_SECONDS
}

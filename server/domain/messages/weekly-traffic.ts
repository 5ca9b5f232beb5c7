/** Estimates a channel's weekly traffic from its messages by day. */

/** Days that an estimate covers. */
export const TRAFFIC_DAYS = 28
/** Channels younger than this have no estimate. */
const AGE_DAYS_MIN = 7
export const DAY_SECONDS = 24 * 3600

/** The day of a UNIX time in seconds, counted from 1970 in UTC. */
export function dayOf(unixSeconds: number): number {
  return Math.floor(unixSeconds / DAY_SECONDS)
}

/** Messages by day, counted from 1970 in UTC. */
export type DailyCounts = Map<number, number>

/** Counts one message, and drops days outside the window. */
export function countMessage(counts: DailyCounts, sentAt: number): void {
  const day = dayOf(sentAt)
  counts.set(day, (counts.get(day) ?? 0) + 1)
  if (counts.size > TRAFFIC_DAYS)
    for (const old of counts.keys()) if (old <= day - TRAFFIC_DAYS) counts.delete(old)
}

/** Average messages per week, to two significant digits; null for a channel that is too new. */
export function estimateWeeklyTraffic(
  counts: DailyCounts,
  createdAt: number,
  nowSeconds: number,
): number | null {
  const ageDays = Math.floor((nowSeconds - createdAt) / DAY_SECONDS)
  if (ageDays < AGE_DAYS_MIN) return null
  const firstDay = dayOf(nowSeconds) - TRAFFIC_DAYS
  let sum = 0
  for (const [day, count] of counts) if (day > firstDay) sum += count
  const average = Math.floor((sum * 7) / Math.min(ageDays, TRAFFIC_DAYS))
  if (average === 0 && sum > 0) return 1
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(average, 1))) - 1)
  return Math.round(average / step) * step
}

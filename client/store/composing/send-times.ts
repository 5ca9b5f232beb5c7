/** Times at which people send a message later. */

import { t } from '../../texts/texts.ts'

export interface SendTime {
  readonly text: string
  readonly atMs: number
}

const HOUR_MS = 3_600_000

/** Sensible times after now, in the time zone of the browser. */
export function sendTimes(nowMs: number): readonly SendTime[] {
  const at = (days: number, hour: number) => {
    const date = new Date(nowMs)
    date.setDate(date.getDate() + days)
    date.setHours(hour, 0, 0, 0)
    return date.getTime()
  }
  const daysToMonday = (8 - new Date(nowMs).getDay()) % 7 || 7
  const times: readonly SendTime[] = [
    { text: t('In one hour'), atMs: nowMs + HOUR_MS },
    { text: t('Today at 17:00'), atMs: at(0, 17) },
    { text: t('Tomorrow at 9:00'), atMs: at(1, 9) },
    { text: t('Monday at 9:00'), atMs: at(daysToMonday, 9) },
  ]
  // Tomorrow may be Monday.
  return times.filter(
    ({ atMs }, index) => atMs > nowMs && times.findIndex((one) => one.atMs === atMs) === index,
  )
}

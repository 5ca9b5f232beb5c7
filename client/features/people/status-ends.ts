/** The times after which a status ends. */

import { t } from '../../texts/texts.ts'

export const ENDS = [
  ['never', t('Never')],
  ['30', t('30 minutes')],
  ['60', t('1 hour')],
  ['240', t('4 hours')],
  ['today', t('Today')],
  ['week', t('This week')],
] as const

const MINUTE_MS = 60_000

/** The end of a choice; undefined for `never`. Weeks end with Sunday. */
export function endMs(choice: string, now: Date): number | undefined {
  if (choice === 'never') return undefined
  if (choice === 'today' || choice === 'week') {
    const days = choice === 'today' ? 1 : 7 - ((now.getDay() + 6) % 7)
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime()
  }
  return now.getTime() + Number(choice) * MINUTE_MS
}

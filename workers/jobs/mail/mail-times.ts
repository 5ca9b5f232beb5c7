/** Days and times in mails, in words of their language: the order of numbers differs between countries. */

import type { ServerTexts } from '../../../server/texts/texts.ts'

/** The day of a time in UNIX seconds. */
export function dateIn({ locale }: ServerTexts, seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
}

/** A time in UNIX seconds, for people anywhere. */
export function timeIn({ locale }: ServerTexts, seconds: number): string {
  return new Date(seconds * 1000).toLocaleString(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  })
}

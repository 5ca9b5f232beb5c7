/** Times as people write them, in the language of the page and the time zone of the browser. */

import { computed, signal } from '@preact/signals'
import { makeOnce } from '../store/make-once.ts'
import { inOwnDirection, locale } from '../texts/texts.ts'

const clockOf = (hour12: boolean | undefined, timeZone?: string) => {
  const options = {
    minute: '2-digit',
    ...(hour12 === undefined ? {} : { hour12 }),
    ...(timeZone === undefined ? {} : { timeZone }),
  } as const
  // 9:05 AM, but 09:05.
  return new Intl.DateTimeFormat(locale, { ...options, hour: hour12 === false ? '2-digit' : 'numeric' })
}
/** Whether the clock has twelve hours; undefined until the settings of the user are there. */
const hasTwelveHours = signal<boolean | undefined>(undefined)
const clock = computed(() => clockOf(hasTwelveHours.value))
const fullFormat = makeOnce(() => new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' }))
const dayFormat = makeOnce(
  () => new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' }),
)
const dayOfYearFormat = makeOnce(
  () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' }),
)
const shortDayFormat = makeOnce(() => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }))
const relativeFormat = makeOnce(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

const DAY_MS = 86_400_000

/** 16:42. Times of the server are in seconds. */
export function clockTime(timestamp: number): string {
  return inOwnDirection(clock.value.format(timestamp * 1000))
}

/** The clock of the user's settings; views with times are drawn again. */
export function setClock(isTwelveHours: boolean): void {
  hasTwelveHours.value = isTwelveHours
}

/** The time of day in another zone; empty for a zone that this browser does not have. */
export function timeIn(timeZone: string, nowMs: number): string {
  if (timeZone === '') return ''
  try {
    return inOwnDirection(clockOf(hasTwelveHours.value, timeZone).format(nowMs))
  } catch {
    return ''
  }
}

/** The whole time, for titles. */
export function fullTime(timestamp: number): string {
  return fullFormat().format(timestamp * 1000)
}

/** Today, yesterday, or a date. */
export function dayName(timestamp: number, nowMs: number): string {
  const days = daysBetween(timestamp * 1000, nowMs)
  if (days === 0 || days === 1) return capitalize(relativeFormat().format(-days, 'day'))
  const isThisYear = new Date(timestamp * 1000).getFullYear() === new Date(nowMs).getFullYear()
  return (isThisYear ? dayFormat() : dayOfYearFormat()).format(timestamp * 1000)
}

/** A short form for lists: the time today, else the day. */
export function shortTime(timestamp: number, nowMs: number): string {
  const days = daysBetween(timestamp * 1000, nowMs)
  if (days === 0) return clockTime(timestamp)
  return days === 1
    ? capitalize(relativeFormat().format(-1, 'day'))
    : shortDayFormat().format(timestamp * 1000)
}

/** The day as date fields have it: `2026-03-31`. */
export function dayText(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function daysBetween(thenMs: number, nowMs: number): number {
  const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0)
  return Math.round((midnight(nowMs) - midnight(thenMs)) / DAY_MS)
}

function capitalize(text: string): string {
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
}

/** Days with times, for lists of what is planned or past: Fri, Nov 27, 7:10 PM. */

import { makeOnce } from '../store/make-once.ts'
import { clockTime, dayText } from './times.ts'
import { locale } from '../texts/texts.ts'

const formatOf = (year?: 'numeric') =>
  makeOnce(() => new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', year }))
const dayFormat = formatOf()
const dayOfYearFormat = formatOf('numeric')

/** The year is there unless it is this one. */
export function dayAndTime(timestamp: number): string {
  const isThisYear = new Date(timestamp * 1000).getFullYear() === new Date().getFullYear()
  return `${(isThisYear ? dayFormat() : dayOfYearFormat()).format(timestamp * 1000)}, ${clockTime(timestamp)}`
}

/** The time alone if it is of today. */
export function nearTime(timestamp: number): string {
  const isToday = dayText(new Date(timestamp * 1000)) === dayText(new Date())
  return isToday ? clockTime(timestamp) : dayAndTime(timestamp)
}

/** Parses dates and times as people write them. */

import { createRequire } from 'node:module'
import type * as Chrono from 'chrono-node/en'
import { lazy } from '../../../server/domain/messages/derived.ts'

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?)? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i
const UNIX = /^\d{1,12}(?:\.\d{1,9})?$/
/** Characters of a date in words, with the longest weekday, month and zone. Longer texts take the parser long. */
const WORDS_LENGTH_MAX = 80
/**
 * The words of a date. Without this check the parser would accept relative dates, such as `in 2 days`. It parses some
 * of these in exponential time, and they would change with each rendering.
 */
const WORDS: ReadonlySet<string> = new Set(
  (
    'jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september ' +
    'october november december mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday thursday friday ' +
    'saturday sunday st nd rd th a p m am pm at on of t z utc gmt wet west bst cet cest eet eest msk est edt et cst ' +
    'cdt ct mst mdt mt pst pdt pt akst akdt hst ist jst kst hkt sgt awst acst acdt aest aedt nzst nzdt'
  ).split(' '),
)
/** The years 1 to 9999, which fit four digits. */
const SECONDS_MIN = -62_135_596_800
const SECONDS_MAX = 253_402_300_799
/** All zones are less than a day away. */
const OFFSET_MINUTES_MAX = 24 * 60 - 1

/** Loaded with the first date in words: few processes need it. */
const chrono = lazy(() => createRequire(import.meta.url)('chrono-node/en') as typeof Chrono)

/** The time as `YYYY-MM-DDTHH:MM:SSZ`, or undefined. UTC unless it names a zone. */
export function parseTime(written: string): string | undefined {
  const text = written.trim()
  const seconds = parseSeconds(text)
  if (seconds === undefined || !(seconds >= SECONDS_MIN && seconds <= SECONDS_MAX)) return undefined
  return new Date(Math.floor(seconds) * 1000).toISOString().replace('.000Z', 'Z')
}

function parseSeconds(text: string): number | undefined {
  if (UNIX.test(text)) return Number(text)
  const iso = ISO.exec(text)
  return iso ? parseIso(iso) : parseWords(text)
}

function parseIso(match: RegExpExecArray): number | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = 'Z'] = match
  const [, sign = '+', hours = '00', minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  const date = `${year}-${month}-${day}`
  const midnight = Date.parse(`${date}T00:00:00Z`)
  // An invalid day of a month would become a day of the next.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== date) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const ofDay = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  const offset = Number(hours) * 60 + Number(minutes)
  if (offset > OFFSET_MINUTES_MAX || Number(minutes) > 59) return undefined
  return midnight / 1000 + ofDay + (sign === '+' ? -offset : offset) * 60
}

/** Such as `Jun 5th 2017, 10:30PM EST`: one date with its year, and nothing else. */
function parseWords(text: string): number | undefined {
  if (text.length > WORDS_LENGTH_MAX || !/^[\w ,:./()+-]+$/.test(text)) return undefined
  if (!(text.toLowerCase().match(/[a-z]+/g) ?? []).every((word) => WORDS.has(word))) return undefined
  // Loaded with the first date in words: most threads and tools never need it.
  const [found] = chrono().strict.parse(text, { instant: new Date(0), timezone: 0 })
  if (!found || found.end || found.text !== text) return undefined
  const { start } = found
  if (!start.isCertain('year') || !start.isCertain('month') || !start.isCertain('day')) return undefined
  if (Math.abs(start.get('timezoneOffset') ?? 0) > OFFSET_MINUTES_MAX) return undefined
  const seconds = start.date().getTime() / 1000
  // A day without an hour means midnight; the parser assumes noon.
  return start.isCertain('hour') ? seconds : seconds - (start.get('hour') ?? 0) * 3600
}

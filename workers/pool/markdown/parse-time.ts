/** Moments as people write them. */

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?)? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i
const UNIX = /^\d{1,12}(?:\.\d{1,9})?$/
/** Words of dates; JavaScript's own reading would take any word for a comment. */
const WORD =
  /^(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|january|february|march|april|august|september|october|november|december|mon|tues?|wed|thu(?:rs)?|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day|am|pm|gmt|utc|z|t)$/
const MONTH = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/
/** From the year 1 to 9999, which have four digits. */
const SECONDS_MIN = -62_135_596_800
const SECONDS_MAX = 253_402_300_799

/** The moment as `YYYY-MM-DDTHH:MM:SSZ`, or undefined. Without a zone it is in UTC. */
export function parseTime(written: string): string | undefined {
  const text = written.trim()
  const seconds = UNIX.test(text) ? Number(text) : (parseIso(text) ?? parseWords(text))
  if (seconds === undefined || !(seconds >= SECONDS_MIN && seconds <= SECONDS_MAX)) return undefined
  return new Date(Math.floor(seconds) * 1000).toISOString().replace('.000Z', 'Z')
}

function parseIso(text: string): number | undefined {
  const match = ISO.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = 'Z'] = match
  const [, sign = '+', hours = '00', minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  const date = `${year}-${month}-${day}`
  const midnight = Date.parse(`${date}T00:00:00Z`)
  // A day that is not in its month would become one of the next.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== date) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const ofDay = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  const offset = Number(hours) * 3600 + Number(minutes) * 60
  return midnight / 1000 + ofDay + (sign === '+' ? -offset : offset)
}

/** Such as `Jun 5th 2017, 10:30PM`: a date with a month's name and a year of four digits, in words that are all known. */
function parseWords(written: string): number | undefined {
  const text = written.replace(/(\d)(?:st|nd|rd|th)\b/gi, '$1').replace(/(\d)([ap]m)\b/gi, '$1 $2')
  if (!/\b\d{4}\b/.test(text) || !/^[\w\s,:./+-]+$/.test(text)) return undefined
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  if (!words.every((word) => WORD.test(word)) || !words.some((word) => MONTH.test(word))) return undefined
  const hasZone =
    words.some((word) => word === 'gmt' || word === 'utc' || word === 'z') || /[+-]\d\d:?\d\d$/.test(text)
  const milliseconds = Date.parse(hasZone ? text : `${text} UTC`)
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000
}

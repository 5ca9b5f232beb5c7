/**
 * Do not disturb: a pause until a moment, and quiet hours of each week. One answer for pushes, emails, notes on the desktop
 * and sounds, the same on the server and in the client.
 */

/** A user's settings of silence. */
export interface SilenceSettings {
  /** UNIX seconds; earlier than now, or 0, for no pause. */
  readonly pausedUntil: number
  /** Quiet hours as `parseQuietHours` reads them; empty for none. */
  readonly quietHours: string
}

/** Whether a user wants silence, and until when that holds. */
export interface Silence {
  readonly isSilent: boolean
  /** UNIX seconds: then it is to be asked again. Infinity if nothing will change by itself. */
  readonly until: number
}

/** Some hours of some days; those that end before they begin end on the next day. */
export interface QuietSpan {
  /** Days on which it begins: 1 for Monday to 7 for Sunday, ascending. */
  readonly days: readonly number[]
  /** Minutes of the day. Equal ones are a whole day. */
  readonly fromMinute: number
  readonly untilMinute: number
}

/** Quiet hours, by the clock of a time zone. */
export interface QuietHours {
  readonly spans: readonly QuietSpan[]
  readonly zone: string
}

/** Enough for nights, weekends and a break at noon. */
export const QUIET_SPANS_MAX = 4
/** Four spans of all days and the longest name of a zone take less. */
export const QUIET_HOURS_LENGTH_MAX = 200

const DAY_SECONDS = 86_400
const DAY_MINUTES = 1_440
/** Spans and pauses that follow on each other are one silence; a week of whole days has no end, and is asked again. */
const CHAIN_MAX = 16

const SPAN = /^([1-7](?:,[1-7])*) ([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/

/**
 * Reads quiet hours such as `1,2,3,4,5 22:00-07:00; 6,7 00:00-00:00 Europe/Berlin`: days, from and until, the time zone.
 * Undefined for other text, such as an empty one.
 */
export function parseQuietHours(text: string): QuietHours | undefined {
  if (text.length > QUIET_HOURS_LENGTH_MAX) return undefined
  const zoneAt = text.lastIndexOf(' ')
  const zone = text.slice(zoneAt + 1)
  const spans = text
    .slice(0, Math.max(zoneAt, 0))
    .split('; ')
    .map((span) => parseSpan(span))
  if (spans.length > QUIET_SPANS_MAX || !isTimeZone(zone)) return undefined
  return spans.every((span) => span !== undefined) ? { spans, zone } : undefined
}

function parseSpan(text: string): QuietSpan | undefined {
  const [, listed, ...clock] = SPAN.exec(text) ?? []
  if (listed === undefined) return undefined
  const days = listed.split(',').map(Number)
  if (days.some((day, index) => index > 0 && day <= (days[index - 1] as number))) return undefined
  const [fromHour = 0, fromMinute = 0, untilHour = 0, untilMinute = 0] = clock.map(Number)
  return { days, fromMinute: fromHour * 60 + fromMinute, untilMinute: untilHour * 60 + untilMinute }
}

/** The text that `parseQuietHours` reads; empty without spans. */
export function formatQuietHours({ spans, zone }: QuietHours): string {
  if (spans.length === 0) return ''
  const clock = (minute: number) =>
    [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
  const texts = spans.map(
    ({ days, fromMinute, untilMinute }) => `${days.join(',')} ${clock(fromMinute)}-${clock(untilMinute)}`,
  )
  return `${texts.join('; ')} ${zone}`
}

/** Whether a time zone exists. */
export function isTimeZone(name: string): boolean {
  try {
    // An offset such as `+01:00` is not a zone's name.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

/** Whether a user wants silence at a moment, in UNIX seconds. */
export function findSilence({ pausedUntil, quietHours }: SilenceSettings, now: number): Silence {
  const hours = quietHours === '' ? undefined : parseQuietHours(quietHours)
  const week = hours && new QuietWeek(hours)
  let end = now
  for (let count = 0; count < CHAIN_MAX; count++) {
    const next = Math.max(pausedUntil, week?.endAt(end) ?? 0)
    if (next <= end) break
    end = next
  }
  if (end > now) return { isSilent: true, until: end }
  return { isSilent: false, until: week?.nextStart(now) ?? Number.POSITIVE_INFINITY }
}

/** Quiet hours in time: wall clocks are written as the UNIX seconds that they would be in UTC. */
class QuietWeek {
  readonly #spans: readonly QuietSpan[]
  readonly #format: Intl.DateTimeFormat

  constructor({ spans, zone }: QuietHours) {
    this.#spans = spans
    const parts = {
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    } as const
    this.#format = new Intl.DateTimeFormat('en', {
      ...parts,
      second: 'numeric',
      hourCycle: 'h23',
      timeZone: zone,
    })
  }

  /** The end of the quiet hours that a moment is in; undefined if it is in none. */
  endAt(at: number): number | undefined {
    const wall = this.#wallAt(at)
    const ends = this.#spansAround(wall, -1, 0)
      .filter(({ from, until }) => from <= wall && wall < until)
      .map(({ until }) => this.#momentOf(until))
    // After a change of the clock an end may seem to be over: the next minute decides.
    return ends.length === 0 ? undefined : Math.max(...ends, at + 1)
  }

  /** When the next quiet hours begin. */
  nextStart(at: number): number {
    const wall = this.#wallAt(at)
    const starts = this.#spansAround(wall, 0, 7).filter(({ from }) => from > wall)
    return Math.max(at + 1, Math.min(...starts.map(({ from }) => this.#momentOf(from))))
  }

  /** The spans that begin on days around that of a wall clock. */
  #spansAround(wall: number, first: number, last: number): { from: number; until: number }[] {
    const today = Math.floor(wall / DAY_SECONDS)
    const found = []
    for (let day = today + first; day <= today + last; day++) {
      const weekday = ((day + 3) % 7) + 1 // The first day of UNIX time was a Thursday.
      for (const { days, fromMinute, untilMinute } of this.#spans) {
        if (!days.includes(weekday)) continue
        const from = day * DAY_SECONDS + fromMinute * 60
        const minutes = (untilMinute - fromMinute + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES
        found.push({ from, until: from + minutes * 60 })
      }
    }
    return found
  }

  #wallAt(at: number): number {
    const parts = new Map(
      this.#format.formatToParts(at * 1_000).map(({ type, value }) => [type, Number(value)]),
    )
    const [year, month, day, hour, minute, second] = (
      ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
    ).map((type) => parts.get(type) ?? 0) as [number, number, number, number, number, number]
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1_000
  }

  /** The moment at which the wall clock shows something. */
  #momentOf(wall: number): number {
    const guess = wall - (this.#wallAt(wall) - wall)
    return wall - (this.#wallAt(guess) - guess)
  }
}

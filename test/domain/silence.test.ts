/** Do not disturb: pauses and quiet hours. */

import t from 'tap'
import {
  findSilence,
  formatQuietHours,
  parseQuietHours,
  QUIET_SPANS_MAX,
} from '../../packages/rules/silence.ts'
import { makeRandom } from '../events/make-random.ts'

const at = (text: string) => Date.parse(text) / 1_000
const BERLIN = 'Europe/Berlin'
const ask = (quietHours: string, now: string, pausedUntil = 0) => {
  const { isSilent, until } = findSilence({ pausedUntil, quietHours }, at(now))
  return [isSilent, Number.isFinite(until) ? new Date(until * 1_000).toISOString().slice(0, 19) : until]
}

t.test('[SILENCE1] a pause ends at its moment', async (t) => {
  t.same(ask('', '2026-01-05T12:00:00Z'), [false, Number.POSITIVE_INFINITY])
  t.same(ask('', '2026-01-05T12:00:00Z', at('2026-01-05T12:00:00Z')), [false, Number.POSITIVE_INFINITY])
  t.same(ask('', '2026-01-05T12:00:00Z', at('2026-01-05T12:00:01Z')), [true, '2026-01-05T12:00:01'])
})

t.test(
  '[SILENCE2] quiet hours follow the clock of their zone, over midnight and changes of the clock',
  async (t) => {
    const nights = `1,2,3,4,5 22:00-07:30 ${BERLIN}`
    // 2026-01-05 is a Monday; Berlin is an hour ahead of UTC in winter, and two in summer.
    const cases: readonly (readonly [string, string, boolean, string])[] = [
      [nights, '2026-01-05T20:59:59Z', false, '2026-01-05T21:00:00'],
      [nights, '2026-01-05T21:00:00Z', true, '2026-01-06T06:30:00'],
      [nights, '2026-01-06T06:29:59Z', true, '2026-01-06T06:30:00'],
      [nights, '2026-01-06T06:30:00Z', false, '2026-01-06T21:00:00'],
      [nights, '2026-01-10T05:00:00Z', true, '2026-01-10T06:30:00'], // Saturday: Friday's night.
      [nights, '2026-01-10T21:00:00Z', false, '2026-01-12T21:00:00'],
      [`7 00:00-00:00 ${BERLIN}`, '2026-03-29T12:00:00Z', true, '2026-03-29T22:00:00'], // A day of 23 hours.
      [`7 22:00-07:00 ${BERLIN}`, '2026-10-25T22:00:00Z', true, '2026-10-26T06:00:00'],
      [`6 22:00-07:00 ${BERLIN}`, '2026-10-24T21:00:00Z', true, '2026-10-25T06:00:00'], // A night of ten hours.
      [`6,7 00:00-00:00; 5 18:00-00:00 ${BERLIN}`, '2026-01-09T18:00:00Z', true, '2026-01-11T23:00:00'],
      ['1 09:00-10:00 Pacific/Kiritimati', '2026-01-04T19:30:00Z', true, '2026-01-04T20:00:00'],
    ]
    for (const [hours, now, isSilent, until] of cases)
      t.same(ask(hours, now), [isSilent, until], `${hours} at ${now}`)
    t.same(
      ask(nights, '2026-01-05T20:00:00Z', at('2026-01-05T21:30:00Z')),
      [true, '2026-01-06T06:30:00'],
      'a pause that ends in quiet hours goes over into them',
    )
    const [isSilent, until] = ask('1,2,3,4,5,6,7 00:00-00:00 UTC', '2026-01-05T12:00:00Z')
    t.equal(isSilent, true)
    t.ok(String(until) > '2026-01-12', 'silence without an end is asked again after a week or more')
  },
)

t.test('[SILENCE3] only quiet hours of their form are read, and they are written the same', async (t) => {
  const all = '1,2,3,4,5,6,7 00:00-23:59'
  const good = [
    `1 00:00-00:00 UTC`,
    `1,3,7 09:05-17:59; 6 22:00-04:00 ${BERLIN}`,
    `${Array.from({ length: QUIET_SPANS_MAX }, () => all).join('; ')} America/Argentina/ComodRivadavia`,
  ]
  for (const text of good) {
    const hours = parseQuietHours(text)
    t.ok(hours, text)
    t.equal(hours && formatQuietHours(hours), text)
  }
  t.equal(formatQuietHours({ spans: [], zone: 'UTC' }), '')
  const bad = [
    '',
    'UTC',
    ' UTC',
    '1 09:00-10:00',
    '1 09:00-10:00 Nowhere/Here',
    '1 09:00-10:00 +01:00',
    '1 09:00-24:00 UTC',
    '1 9:00-10:00 UTC',
    '0 09:00-10:00 UTC',
    '8 09:00-10:00 UTC',
    '1,1 09:00-10:00 UTC',
    '2,1 09:00-10:00 UTC',
    '1, 09:00-10:00 UTC',
    '1 09:00-10:00;2 09:00-10:00 UTC',
    '1 09:00-10:00; UTC',
    '1 09:60-10:00 UTC',
    `${Array.from({ length: QUIET_SPANS_MAX + 1 }, () => '1 09:00-10:00').join('; ')} UTC`,
    ' '.repeat(100_000),
  ]
  for (const text of bad) t.equal(parseQuietHours(text), undefined, text.slice(0, 60))
})

t.test('[SILENCE4] at each minute of a week the answer is that of a plain calendar', async (t) => {
  const random = makeRandom(Number(process.env['PARLEY_TEST_SEED'] ?? 28))
  for (let round = 0; round < 10; round++) {
    const spans = Array.from({ length: 1 + random.below(3) }, () => ({
      days: [1, 2, 3, 4, 5, 6, 7].filter((day) => day === 1 + (round % 7) || random.below(2) === 0),
      fromMinute: random.below(48) * 30,
      untilMinute: random.below(48) * 30,
    }))
    const quietHours = formatQuietHours({ spans, zone: 'UTC' })
    const quiet = new Set<number>()
    for (const { days, fromMinute, untilMinute } of spans)
      for (const day of days)
        for (let minute = fromMinute; ; ) {
          quiet.add(((day - 1) * 1_440 + minute) % 10_080)
          if (++minute % 1_440 === untilMinute) break
        }
    const monday = at('2026-01-05T00:00:00Z')
    for (let minute = 0; minute < 10_080; minute += 30) {
      const now = monday + minute * 60
      const { isSilent, until } = findSilence({ pausedUntil: 0, quietHours }, now)
      const turns = (until - monday) / 60
      const before = (turns - 1 + 10_080) % 10_080
      const isRight =
        isSilent === quiet.has(minute) &&
        quiet.has(before) === isSilent &&
        (quiet.size === 10_080 || turns - minute > 10_080 || quiet.has(turns % 10_080) !== isSilent)
      if (!isRight) return t.fail(`${quietHours} at minute ${minute}: ${isSilent} until ${turns}`)
    }
  }
})

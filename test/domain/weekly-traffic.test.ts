/** The weekly traffic of a channel: when it is estimated, over which days, and how it is rounded. */

import t from 'tap'
import {
  countMessage,
  type DailyCounts,
  DAY_SECONDS,
  dayOf,
  estimateWeeklyTraffic,
} from '../../server/domain/messages/weekly-traffic.ts'

const NOW = 20_000 * DAY_SECONDS
const TODAY = 20_000

/** The estimate for a channel of this age, with the number of messages by days ago. */
function estimate(ageSeconds: number, counts: Readonly<Record<number, number>>): number | null {
  const byDay: DailyCounts = new Map(
    Object.entries(counts).map(([daysBack, count]) => [TODAY - Number(daysBack), count]),
  )
  return estimateWeeklyTraffic(byDay, NOW - ageSeconds, NOW)
}

t.test('[TRAFFIC1] a day lasts from midnight to midnight in UTC', async (t) => {
  t.equal(dayOf(0), 0)
  t.equal(dayOf(DAY_SECONDS - 1), 0)
  t.equal(dayOf(DAY_SECONDS), 1)
  t.equal(dayOf(Date.parse('2026-11-21T23:59:59.9Z') / 1000), 20_778)
})

t.test('[TRAFFIC2] there is no estimate below seven days', async (t) => {
  const week = 7 * DAY_SECONDS
  for (const age of [0, 1, DAY_SECONDS, week - 1]) t.equal(estimate(age, { 0: 50 }), null)
  t.equal(estimate(-5, { 0: 50 }), null, 'nor for one created in the future of the clock')
  t.equal(estimate(week, { 0: 50 }), 50)
  t.equal(estimate(week, {}), 0)
})

t.test('[TRAFFIC3] up to 28 days the mean is taken over whole days of age', async (t) => {
  const messages = { 0: 40, 3: 20, 6: 12 }
  t.equal(estimate(7 * DAY_SECONDS, messages), 72)
  t.equal(estimate(8 * DAY_SECONDS - 1, messages), 72)
  t.equal(estimate(8 * DAY_SECONDS, messages), 63)
  t.equal(estimate(14 * DAY_SECONDS, messages), 36)
  t.equal(estimate(27 * DAY_SECONDS, messages), 18)
  t.equal(estimate(28 * DAY_SECONDS, messages), 18)
  t.equal(estimate(1_000 * DAY_SECONDS, messages), 18, 'then over 28')
})

t.test('[TRAFFIC4] messages before the last 28 days do not count', async (t) => {
  const age = 400 * DAY_SECONDS
  t.equal(estimate(age, { 27: 400 }), 100)
  t.equal(estimate(age, { 28: 400 }), 0)
  t.equal(estimate(age, { 0: 40, 28: 400, 100: 4_000 }), 10)
})

t.test('[TRAFFIC5] the estimate is rounded to two digits', async (t) => {
  const estimated = (sum: number) => estimate(28 * DAY_SECONDS, { 1: sum * 4 })
  for (const exact of [1, 9, 10, 11, 99]) t.equal(estimated(exact), exact)
  t.equal(estimated(100), 100)
  t.equal(estimated(104), 100)
  t.equal(estimated(106), 110)
  t.equal(estimated(994), 990)
  t.equal(estimated(996), 1_000)
  t.equal(estimated(1_000), 1_000)
  t.equal(estimated(1_049), 1_000)
  t.equal(estimated(1_051), 1_100)
  t.equal(estimated(12_345), 12_000)
  t.equal(estimated(999_999), 1_000_000)
  for (let power = 1; power <= 1e9; power *= 10) t.equal(estimated(power), power)
})

t.test('[TRAFFIC6] a small estimate is rounded up to one', async (t) => {
  for (const count of [1, 2, 3]) t.equal(estimate(28 * DAY_SECONDS, { 5: count }), 1)
  t.equal(estimate(28 * DAY_SECONDS, { 5: 4 }), 1)
  t.equal(estimate(28 * DAY_SECONDS, { 5: 7 }), 1, 'otherwise rounded down to whole messages')
  t.equal(estimate(28 * DAY_SECONDS, { 5: 8 }), 2)
})

t.test('[TRAFFIC7] the stored days are bounded, and suffice for the estimate', async (t) => {
  const counts: DailyCounts = new Map()
  const all: DailyCounts = new Map()
  for (let day = 0; day < 300; day++) {
    if (day % 7 === 6) continue // A day without messages.
    for (let count = 0; count <= day % 5; count++) {
      const sentAt = (day + count / 5) * DAY_SECONDS
      countMessage(counts, sentAt)
      all.set(day, (all.get(day) ?? 0) + 1)
      t.equal(
        estimateWeeklyTraffic(counts, 0, sentAt),
        estimateWeeklyTraffic(all, 0, sentAt),
        `on day ${day}`,
      )
    }
  }
  t.ok(counts.size <= 29, `${counts.size} days are stored`)
})

/** The short form of `npm run ha-check`: a web process and the primary of PostgreSQL die while people write. */

import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { checkAvailability } from './check-availability.ts'
import { formatEffects } from './format-effects.ts'
import { startStreamingPair } from './streaming-pair.ts'
import { type Effect, isGood, SILENCE_MS_MAX } from './watch-outages.ts'

await t.test(
  '[HA1] when a web process or the primary of PostgreSQL is killed, nothing acknowledged is lost or doubled, and clients come back by themselves',
  async (t) => {
    const pair = await startStreamingPair(t)
    const sql = connect(pair.url, 1, 'parley-test')
    t.teardown(() => sql.end({ timeout: 1 }))
    // The check would notice a database that loses what it has acknowledged.
    const removed = {
      name: 'rows',
      begin: () => sql`
        delete from messages where id = (select max(id) from messages where content like 'message %')`,
      end: () => Promise.resolve(),
    }
    const chosen = ['a web process', ...pair.outages.map(({ name }) => name), removed.name]
    const effects = await checkAvailability(
      t,
      {
        root: await makeFolder(t),
        databases: { ...pair, outages: [...pair.outages, removed] },
        redis: undefined,
      },
      (line) => t.comment(line),
      ({ name }) => chosen.includes(name),
    )
    t.same(
      effects.map(({ name, lost, doubled, areBack }) => ({ name, lost, doubled, areBack })),
      chosen.map((name) => ({ name, lost: name === removed.name ? 1 : 0, doubled: 0, areBack: true })),
    )
    for (const { acknowledged } of effects) t.ok(acknowledged >= 100, 'people wrote')
  },
)

t.test('[HA2] one thing that was promised and not kept makes an outage a failure', (t) => {
  const good: Effect = {
    name: 'a part',
    silenceMs: SILENCE_MS_MAX,
    acknowledged: 100,
    lost: 0,
    doubled: 0,
    areBack: true,
  }
  t.ok(isGood(good))
  t.match(formatEffects([good]), /^\| a part \| 30\.0 \| 100 \| 0 \| 0 \| came back \| ok \|$/m)
  const bad: Partial<Effect>[] = [
    { silenceMs: SILENCE_MS_MAX + 1 },
    { lost: 1 },
    { doubled: 1 },
    { areBack: false },
  ]
  for (const one of bad) {
    t.notOk(isGood({ ...good, ...one }))
    t.match(formatEffects([{ ...good, ...one }]), /\| WRONG \|$/m)
  }
  t.end()
})

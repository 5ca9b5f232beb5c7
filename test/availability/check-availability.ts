/** Parley on parts that may fail, with people, through all outages. */

import { createPeople } from '../../bench/start/create-people.ts'
import { connect } from '../../db/connection/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { startParley } from './parley.ts'
import type { Databases, Outage, SharedRedis, Teardown } from './part.ts'
import { People } from './people.ts'
import { type Effect, watchOutage } from './watch-outages.ts'

const PEOPLE = 8

/** The parts that run already, and the folder for everything else. */
export interface Parts {
  readonly root: string
  readonly databases: Databases
  readonly redis: SharedRedis | undefined
}

/** Starts Parley and its people, and goes through all outages, or those that are chosen. */
export async function checkAvailability(
  t: Teardown,
  { root, databases, redis }: Parts,
  say: (line: string) => void,
  isChosen: (outage: Outage) => boolean = () => true,
): Promise<Effect[]> {
  const { url: databaseUrl } = databases
  const sql = connect(databaseUrl, 1, 'parley-ha-check')
  t.teardown(() => sql.end({ timeout: 1 }))
  await migrate(sql)
  const persons = await createPeople(databaseUrl, PEOPLE)
  const parley = await startParley(t, root, {
    DATABASE_URL: databaseUrl,
    ...(redis ? { REDIS_URL: redis.url } : {}),
  })
  const people = new People(parley, persons)
  t.teardown(() => people.stop())
  await people.start()
  say(`${PEOPLE} people write and listen`)
  const effects: Effect[] = []
  for (const outage of [...parley.outages, ...(redis?.outages ?? []), ...databases.outages]) {
    if (!isChosen(outage)) continue
    say(`kills ${outage.name}`)
    effects.push(await watchOutage(outage, people, sql))
  }
  return effects
}

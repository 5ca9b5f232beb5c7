/**
 * A random walk over changes of users: state and events agree for viewers of all rights, older and newer
 * clients.
 */

import t from 'tap'
import { addUser, giveKeyBack } from '../harness/worlds/add-user.ts'
import type { Client, Fields } from '../harness/client/client.ts'
import { expectConsistent, REGISTRATION, VIEWERS } from '../harness/states/expect-consistent.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { PEOPLE, type Person, startTestServer } from '../harness/servers/start-server.ts'
import { drawImage } from '../harness/client/upload.ts'
import { makeRandom } from './make-random.ts'
import { USERS, UserWalk } from './user-walk-actions.ts'

const LENGTH = Number(process.env.PARLEY_WALK_LENGTH ?? 160)
const CHANGES_PER_STEP = Number(process.env.PARLEY_WALK_STEP ?? 8)
/** Between steps everyone goes offline, so that a new report is a new arrival. */
const PAUSE_MS = 300_000

/** A client with every capability. */
const MODERN = {
  ...REGISTRATION,
  slim_presence: true,
  client_capabilities: {
    ...REGISTRATION.client_capabilities,
    user_settings_object: true,
    simplified_presence_events: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
  },
}
/** A client without capabilities. */
const LEGACY = { include_subscribers: true }

const clock = new ManualClock()
const started = await startTestServer(t, { clock })
/** A user whose key or address changes continues with the new one. */
const clients = new Map(PEOPLE.map((person) => [person, started.as(person)]))
const server = { ...started, as: (person: Person) => clients.get(person) as Client }
const { presences, committer } = server.node.services
const owner = server.as('owner')
const extras = [await addUser(server, 'extra'), await addUser(server, 'another', { role: 'guest' })]
await owner.subscribe(['one', 'two'], { principals: USERS })
for (const name of ['folk', 'others']) {
  await owner.must('POST', '/user_groups/create', { name, description: '', members: [1, 4, 6] })
}

/** Exchanges presence and sends it. */
async function tellPresence(): Promise<void> {
  await presences.exchange()
  await committer.drain()
}

const seed = Number(process.env.PARLEY_TEST_SEED ?? Date.now() % 1_000_000)

await t.test('[WALKU1] state and events agree after random changes of users', async (t) => {
  t.comment(`PARLEY_TEST_SEED=${seed}`)
  const random = makeRandom(seed)
  const actors = PEOPLE.map((person) => server.as(person))
  const files = await Promise.all(['red', 'blue'].map((color) => drawImage(color, { width: 40, height: 40 })))
  const clients = [owner, ...actors, ...extras] as const
  const walk = new UserWalk(random, clients, files, (client) => giveKeyBack(server, client))
  let made = 0
  for (let step = 0; step * CHANGES_PER_STEP < LENGTH; step++) {
    const forms = [MODERN, LEGACY]
    const registrations: Partial<Record<Person, Fields>> = {}
    for (const [index, person] of VIEWERS.entries()) {
      registrations[person] = forms[(step + index) % forms.length] as Fields
    }
    walk.log.length = 0
    clock.leap(PAUSE_MS)
    clock.advance(1_000)
    await tellPresence()
    const act = async () => {
      for (let count = 0; count < CHANGES_PER_STEP; count++) {
        if (await walk.change()) made++
      }
      // No event reports a newest message that disappears with the right to read it.
      await server.as('owner').sendDirect([4, 5, 6], 'the newest of all')
      await tellPresence()
    }
    try {
      await expectConsistent(server, act, { forgetsFormer: true, registrations })
    } catch (error) {
      const story = walk.log.join('\n')
      throw new Error(`step ${step}, PARLEY_TEST_SEED=${seed}\n${story}\n${String(error)}`, { cause: error })
    }
  }
  t.ok(made > LENGTH / 3, `${made} changes were made`)
})

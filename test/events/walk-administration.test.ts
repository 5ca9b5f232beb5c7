/** A random walk over roles, permissions and channels: state and events of every client agree. */

import t from 'tap'
import { addUser } from '../harness/worlds/add-user.ts'
import { expectConsistent } from '../harness/states/expect-consistent.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { CHANNEL_COUNT, changeAdministration, USERS } from './administration-walk-actions.ts'
import { makeRandom } from './make-random.ts'

const STEPS = 30
const CHANGES_PER_STEP = 4

const server = await startTestServer(t)
for (let extra = 0; extra < 3; extra++) await addUser(server, `extra${extra}`)
const seed = Number(process.env.PARLEY_TEST_SEED ?? Date.now() % 1_000_000)

await t.test(
  '[WALK2] state and events agree after random changes of channels, groups and roles',
  async (t) => {
    t.comment(`PARLEY_TEST_SEED=${seed}`)
    const random = makeRandom(seed)
    const owner = server.as('owner')
    for (let channel = 1; channel <= CHANNEL_COUNT; channel++) {
      await owner.subscribe([`channel ${channel}`], {
        principals: random.some(USERS),
        invite_only: channel % 2 === 0,
      })
    }
    for (const name of ['one', 'two']) {
      await owner.must('POST', '/channel_folders/create', { name, description: '' })
    }
    for (const name of ['group 0', 'group 1']) {
      await owner.must('POST', '/user_groups/create', { name, description: '', members: random.some(USERS) })
    }
    let made = 0
    const wanted = (STEPS * CHANGES_PER_STEP) / 4
    // Some seeds draw many refused changes: they continue until enough were made.
    for (let step = 0; step < STEPS || (made <= wanted && step < STEPS * 4); step++) {
      try {
        await expectConsistent(
          server,
          async () => {
            for (let count = 0; count < CHANGES_PER_STEP; count++)
              if (await changeAdministration(random, (person) => server.as(person))) made++
          },
          { forgetsFormer: true },
        )
      } catch (error) {
        throw new Error(`step ${step}, PARLEY_TEST_SEED=${seed}`, { cause: error })
      }
    }
    t.ok(made > wanted, `${made} changes were made`)
  },
)

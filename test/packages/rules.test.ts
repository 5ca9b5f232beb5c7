/** The rules of `packages/rules`, as the server's decisions and the client's state apply them. */

import { randomInt } from 'node:crypto'
import t from 'tap'
import { topicName } from '../../client/store/derived/topic.ts'
import * as accounts from '../../packages/rules/accounts.ts'
import * as channels from '../../packages/rules/channels.ts'
import * as groups from '../../packages/rules/groups.ts'
import * as invitations from '../../packages/rules/invitations.ts'
import * as memberships from '../../packages/rules/memberships.ts'
import * as messages from '../../packages/rules/messages.ts'
import * as narrows from '../../packages/rules/narrows.ts'
import * as roles from '../../packages/rules/roles.ts'
import * as topics from '../../packages/rules/topics.ts'
import type { Scope } from '../../server/decisions/scope.ts'
import { type ErrorName, fail } from '../../server/errors/api-error.ts'
import { VISITOR } from '../../server/domain/users/visitor.ts'
import { makeRandom } from '../events/make-random.ts'
import { QUESTIONS } from './questions.ts'
import { makeOrganization, NOW } from './random-organization.ts'
import { registerClient } from './register-client.ts'

const COUNT = 10_000
const ORGANIZATIONS = 50
const ASKERS = 4

/** Parts of other rules, and what depends on nothing but its argument: both sides call the same code with it. */
const PARTS = new Set([
  'contentSettings',
  'readableHistory',
  'isLate',
  'isWithBotsOnly',
  'isAdministrator',
  'isModerator',
  'isGuest',
  'roleName',
  'findOperator',
  'currentSpelling',
  'topicDisplayName',
  'topicKey',
  'isResolved',
  'unresolvedName',
  'toggleResolved',
  'findResolution',
])

t.test('[RULE1] each rule is asked of both sides', async (t) => {
  const rules = [
    accounts,
    channels,
    groups,
    invitations,
    memberships,
    messages,
    narrows,
    roles,
    topics,
  ].flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) => (typeof value === 'function' ? [name] : [])),
  )
  t.same(
    rules.filter((name) => !PARTS.has(name) && !(name in QUESTIONS)),
    [],
  )
})

t.test('[RULE2] server and client answer 10,000 random questions alike', async (t) => {
  const seed = Number(process.env.PARLEY_SEED ?? randomInt(2 ** 31))
  t.comment(`PARLEY_SEED=${seed}`)
  const random = makeRandom(seed)
  const names = Object.keys(QUESTIONS)
  const answers = new Map(names.map((name) => [name, new Set<unknown>()]))
  const differences: unknown[] = []
  let count = 0
  for (let one = 0; one < ORGANIZATIONS; one++) {
    const state = makeOrganization(random)
    const visitor = await registerClient(VISITOR, state)
    for (let asker = 0; asker < ASKERS; asker++) {
      const active = [...state.users.values()].filter(({ isActive }) => isActive)
      const owners = active.filter(({ id }) => active.some(({ botOwnerId }) => botOwnerId === id))
      const caller = random.pick(owners.length > 0 && random.below(2) === 0 ? owners : active)
      const scope: Scope<ErrorName> = { state, caller, now: NOW, fail }
      const client = await registerClient(caller, state)
      for (const end = count + COUNT / ORGANIZATIONS / ASKERS; count < end; ) {
        const name = random.pick(names)
        const asked = QUESTIONS[name]?.({ random, scope, client, visitor })
        if (!asked) continue
        count++
        const [ofServer, ofClient, about] = asked
        answers.get(name)?.add(ofServer)
        if (ofServer !== ofClient) differences.push({ name, ofServer, ofClient, about, caller })
      }
    }
  }
  t.equal(count, COUNT)
  t.same(differences.slice(0, 3), [], `${differences.length} differences, PARLEY_SEED=${seed}`)
  t.same(
    names.filter((name) => answers.get(name)?.size === 1),
    [],
    'no question has the same answer for everybody',
  )
})

t.test(
  '[RULE3] a topic is resolved by one mark, and loses all of its marks when it is opened again',
  async (t) => {
    t.equal(topics.toggleResolved('lunch'), '✔ lunch')
    for (const topic of ['✔ lunch', '✔ ✔ lunch', '✔ ✔✔ lunch']) {
      t.equal(topics.toggleResolved(topic), 'lunch')
      t.equal(topics.findResolution(topic, 'lunch'), 'unresolved')
      t.equal(topicName(topic), 'lunch')
    }
    t.equal(topics.findResolution('', '✔ '), undefined)
    t.equal(topicName('✔ '), topics.EMPTY_TOPIC_DISPLAY_NAME)
  },
)

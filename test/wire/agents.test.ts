/**
 * Agents: the Model Context Protocol at `/mcp`, by the official client and by single requests. The tests share one server;
 * `agents/` has what they do.
 */

import t from 'tap'
import { startAgentWorld } from './agents/agent-world.ts'
import {
  checkRequests,
  countOperations,
  negotiateVersions,
  sendBatches,
  sendOddBodies,
} from './agents/protocol.ts'
import { checkKeys, listPlaces, readByClient, readPages } from './agents/reading.ts'
import { auditInOtherOrder, checkWriting, markWrites } from './agents/writing.ts'

const world = await startAgentWorld(t)
/** Each test has all of the limit. */
t.beforeEach(() => world.clock.leap(60_000))

for (const mode of ['modern', 'auto', 'earlier'] as const)
  await t.test(`[AGENT1] the official client finds, reads and searches (${mode})`, (t) =>
    readByClient(t, world, mode),
  )

await t.test('[AGENT2] a list says what its person may see, in parts', (t) => listPlaces(t, world))

await t.test('[AGENT3] pages of a conversation follow each other, and each has a limit', (t) =>
  readPages(t, world),
)

await t.test('[AGENT4] a key opens what its scope says, and other credentials nothing', (t) =>
  checkKeys(t, world),
)

await t.test('[AGENT5] only POST, JSON and the own origin are served', (t) => checkRequests(t, world))

await t.test('[AGENT6] versions are negotiated, and headers must agree with the message', (t) =>
  negotiateVersions(t, world),
)

await t.test(
  '[AGENT7] notifications and answers are accepted, batches only by versions that have them',
  (t) => sendBatches(t, world),
)

await t.test('[AGENT8] operations of an agent count against the limit of its person', (t) =>
  countOperations(t, world),
)

await t.test(
  '[AGENT10] messages of an agent are marked for all, and all that it writes is in the audit log',
  (t) => markWrites(t, world),
)

await t.test('[AGENT11] an agent writes only with a key for it, and only what its person may', (t) =>
  checkWriting(t, world),
)

await t.test(
  '[AGENT12] the audit log has the id of a message after other events of its commit, and outlives the log',
  (t) => auditInOtherOrder(t, world),
)

await t.test('[AGENT9] no body makes the server fail', (t) => sendOddBodies(t, world))

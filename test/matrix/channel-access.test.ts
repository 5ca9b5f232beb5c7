/**
 * Every actor, in every standing, tries every action on every kind of channel; the result must follow the
 * documents.
 */

import t from 'tap'
import type { Answer, Queue } from '../harness/client/client.ts'
import { buildChannels, type BuiltCase, type BuiltChannel } from './build-channels.ts'
import { ABSENT, type Action, ACTIONS, saidWhileSubscribed } from './channel-actions.ts'
import { describeCase, listCases } from './channel-cases.ts'
import { ACTORS, type Case, RULES } from './channel-rules.ts'
import { startMatrix } from './start-matrix.ts'
import { asSeenBy, readAllEvents, readSeenChannels, registerListener } from './seen-channels.ts'

/** Parallel cases: while they wait for a commit, others use the cores. */
const CONCURRENCY = 24

const { server, clients, cast } = await startMatrix(t)
const built = await buildChannels(server, listCases(), cast)
const queues = Object.fromEntries(
  await Promise.all(ACTORS.map(async (actor) => [actor, await registerListener(clients[actor])] as const)),
)
let tried = 0

/** The compared part of an answer, as text: details of a success, every byte of an error. */
type Outcome = string

function outcomeOf({ status, body }: Answer, read: Action['read']): Outcome {
  tried++
  return `${status} ${JSON.stringify(status === 200 ? read(body as never, cast) : body)}`
}

/** The answer for an absent channel, as if for another. */
function absentOutcome(absent: Action['absent'], { id, name }: BuiltChannel): Outcome {
  const text = `400 ${JSON.stringify({ result: 'error', ...absent })}`
  return text.replaceAll(ABSENT.name, name).replaceAll(String(ABSENT.id), String(id))
}

t.test('[MATRIX1] everyone gets the same error for an absent channel', async (t) => {
  for (const action of ACTIONS) {
    if (!action.absent) continue
    for (const actor of ACTORS) {
      const answer = await action.ask(clients[actor], ABSENT, cast, (built[0] as BuiltCase).case)
      const outcome = outcomeOf(answer, action.read)
      t.equal(outcome, absentOutcome(action.absent, ABSENT), `${actor}: ${action.name}`)
    }
  }
})

t.test(
  '[MATRIX2] each list of channels has those that the caller sees, reads or subscribes to',
  async (t) => {
    for (const actor of ACTORS) {
      for (const [filter, belongs] of LISTS) {
        const { streams } = await clients[actor].must('GET', '/streams', {
          include_public: false,
          include_subscribed: false,
          exclude_archived: false,
          [filter]: true,
        })
        const listed = new Set((streams as { stream_id: number }[]).map(({ stream_id }) => stream_id))
        const own = built.filter((one) => one.case.actor === actor)
        tried += own.length
        const wrong = own.filter((one) => listed.has(one.main.id) !== belongs(one.case))
        t.same(
          wrong.map((one) => describeCase(one.case)),
          [],
          `${actor}: ${filter}`,
        )
      }
    }
  },
)

const LISTS: readonly (readonly [filter: string, belongs: (one: Case) => boolean])[] = [
  ['include_all', RULES.sees],
  ['include_can_access_content', RULES.reads],
  ['include_subscribed', ({ standing }) => standing === 'subscribed'],
  ['include_public', ({ kind, actor }) => !kind.privacy.startsWith('private') && actor !== 'guest'],
  ['include_web_public', ({ kind }) => kind.privacy === 'web-public'],
]

t.test('[MATRIX3] a page of all messages has the received ones that are still readable', async (t) => {
  for (const actor of ACTORS) {
    const { messages } = await clients[actor].must('GET', '/messages', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 5_000,
      apply_markdown: false,
    })
    const found = (messages as { stream_id: number; content: string }[]).map(
      ({ stream_id, content }) => `${stream_id} ${content}`,
    )
    const own = built.filter((one) => one.case.actor === actor)
    const wanted = own
      .filter((one) => RULES.reads(one.case))
      .flatMap(({ case: one, main }) => saidWhileSubscribed(one).map((content) => `${main.id} ${content}`))
    tried += own.length
    t.same(found.toSorted(), wanted.toSorted(), actor)
  }
})

t.test('[MATRIX4] privacy, roles and groups decide each action on a channel', async (t) => {
  const differing = new Map<BuiltCase, string[]>()
  await forEachConcurrently(built, async (one) => {
    differing.set(one, await tryEverything(one))
  })
  for (const one of built) t.same(differing.get(one), [], describeCase(one.case))
  t.comment(`${tried} combinations of actor, channel, standing and action were tried in ${built.length} rows`)
  t.ok(tried > 1_000)
})

t.test('[MATRIX5] refused actions change nothing, and allowed ones do', async (t) => {
  const { streams } = await clients.owner.must('GET', '/streams', {
    include_all: true,
    exclude_archived: false,
  })
  const byId = new Map((streams as { stream_id: number }[]).map((channel) => [channel.stream_id, channel]))
  for (const one of built) {
    t.match(byId.get(one.main.id), mainAfterwards(one), describeCase(one.case))
    t.match(byId.get(one.exposed.id), exposedAfterwards(one.case), describeCase(one.case))
    t.match(byId.get(one.adjusted.id), adjustedAfterwards(one), describeCase(one.case))
  }
})

/** The actor has left again, if they were subscribed. */
function mainAfterwards({ case: one }: BuiltCase) {
  const isVictimThere = !RULES.removes(one)
  const isRecruitThere = RULES.adds(one)
  return {
    subscriber_count: Number(isVictimThere) + Number(isRecruitThere),
    description: RULES.administers(one) ? 'described anew' : '',
  }
}

function exposedAfterwards(one: Case) {
  const wasPrivate = one.kind.privacy.startsWith('private')
  const isClosed = RULES.opens(one) && one.kind.privacy !== 'web-public'
  return {
    invite_only: isClosed ? !wasPrivate : wasPrivate,
    is_web_public: one.kind.privacy === 'web-public' && !RULES.opens(one),
    is_archived: RULES.administers(one) ? !one.kind.isArchived : one.kind.isArchived,
  }
}

function adjustedAfterwards({ case: one, adjusted }: BuiltCase) {
  const opening = RULES.opens(one)
    ? { can_subscribe_group: { direct_members: [1] }, can_add_subscribers_group: { direct_members: [1] } }
    : {}
  const administering = RULES.administers(one)
    ? { name: `renamed ${adjusted.name}`, can_administer_channel_group: { direct_members: [1] } }
    : { name: adjusted.name }
  return { ...opening, ...administering }
}

t.test('[MATRIX6] only users who can see a channel get its events', async (t) => {
  for (const actor of ACTORS) {
    const seen = readSeenChannels(await readAllEvents(clients[actor], queues[actor] as Queue), cast)
    const sees = (one: BuiltCase) => RULES.sees(asSeenBy(actor, one.case))
    const idsOf = (belongs: (one: BuiltCase) => boolean) => built.filter(belongs).map(({ main }) => main.id)
    for (const [what, happened] of HAPPENINGS) {
      const wanted = idsOf((one) => happened(one.case) && sees(one))
      t.same([...new Set(seen[what])].toSorted(byNumber), wanted, `${actor}: ${what}`)
    }
    // Only subscribers get the message, and here that is only the sender.
    const heard = idsOf((one) => {
      return one.case.actor === actor && one.case.standing === 'subscribed' && RULES.sends(one.case)
    })
    t.same([...new Set(seen.messages)].toSorted(byNumber), heard, `${actor}: messages`)
    const unseen = new Set(idsOf((one) => !sees(one)))
    t.same(
      seen.named.filter((id) => unseen.has(id)),
      [],
      `${actor}: channels named`,
    )
  }
})

const byNumber = (a: number, b: number) => a - b
const HAPPENINGS = [
  ['recruited', RULES.adds],
  ['removed', RULES.removes],
  ['described', RULES.administers],
] as const

/** The actions whose result differs from the rules, in words. */
async function tryEverything(one: BuiltCase): Promise<string[]> {
  const differing: string[] = []
  for (const action of ACTIONS) {
    if (action.isFor && !action.isFor(one.case)) continue
    const channel = action.channelOf(one)
    const answer = await action.ask(clients[one.case.actor], channel, cast, one.case)
    const outcome = outcomeOf(answer, action.read)
    const wanted = wantedOutcome(action, one.case, channel)
    if (outcome !== wanted) differing.push(`${action.name}: ${outcome} rather than ${wanted}`)
  }
  return differing
}

function wantedOutcome(action: Action, one: Case, channel: BuiltChannel): Outcome {
  const expected = action.expect(one, channel)
  if (expected === 'as if absent') return absentOutcome(action.absent, channel)
  if ('success' in expected) return `200 ${JSON.stringify(expected.success)}`
  return `400 ${JSON.stringify({ result: 'error', ...expected, code: 'BAD_REQUEST' })}`
}

async function forEachConcurrently<Item>(items: readonly Item[], act: (item: Item) => Promise<void>) {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const item of queue) await act(item)
    }),
  )
}

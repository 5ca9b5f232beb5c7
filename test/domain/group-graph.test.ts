/** Group membership, including nested groups, compared with a plain model at random. */

import { randomInt } from 'node:crypto'
import t from 'tap'
import type { UserGroup } from '../../server/domain/entities.ts'
import { GroupGraph } from '../../server/domain/groups/group-graph.ts'
import type { GroupSetting } from '../../server/domain/groups/group-settings.ts'
import type { GroupId, UserId } from '../../server/domain/ids.ts'
import { completePermissions, GROUP_PERMISSIONS } from '../../server/domain/groups/permissions.ts'
import { SYSTEM_GROUP_SHAPES, SYSTEM_GROUPS } from '../../server/domain/groups/system-groups.ts'
import { UserSet } from '../../server/domain/users/user-set.ts'

function makeGroup(id: number): UserGroup {
  return {
    id: id as GroupId,
    name: `group ${id}`,
    description: '',
    creatorId: null,
    createdAt: 1_700_000_000,
    isSystem: false,
    isDeactivated: false,
    permissions: completePermissions(GROUP_PERMISSIONS, {}, null),
  }
}
const added = (graph: GroupGraph, id: number) =>
  graph.with({ group: makeGroup(id), directMembers: UserSet.empty, directSubgroups: [] })
const user = (id: number) => id as UserId
const group = (id: number) => id as GroupId

t.test(
  '[GROUP90] the system groups include each other by rank, and the group of nobody is empty',
  async (t) => {
    const graph = SYSTEM_GROUP_SHAPES.reduce(
      (graph, { name }) => graph.withMembers(SYSTEM_GROUPS[name], [user(SYSTEM_GROUPS[name])], true),
      GroupGraph.initial,
    )
    for (const id of [1, 2, 3, 4, 5, 6, 7]) {
      t.same(
        graph.membersOf(group(id)).toArray(),
        Array.from({ length: id }, (_, index) => index + 1),
      )
    }
    t.same(graph.membersOf(SYSTEM_GROUPS.nobody).toArray(), [8])
    t.same(graph.subgroupsOf(SYSTEM_GROUPS.internet), [1, 2, 3, 4, 5, 6])
    t.equal(graph.nestingDepth(), 7)
    t.same(
      [...graph.groups.values()].map(({ group }) => group.name),
      [
        'owners',
        'administrators',
        'moderators',
        'fullmembers',
        'members',
        'everyone',
        'internet',
        'nobody',
      ].map((name) => `role:${name}`),
    )
    for (const { group } of graph.groups.values()) {
      t.same([...new Set(Object.values(group.permissions))], [SYSTEM_GROUPS.nobody], 'nobody changes it')
    }
  },
)

t.test('[GROUP91] a change makes a new graph and leaves the old one unchanged', async (t) => {
  const before = added(added(GroupGraph.initial, 9), 10).withMembers(group(10), [user(1)], true)
  t.same(before.membersOf(group(9)).toArray(), [])
  const after = before.withSubgroups(group(9), [group(10)], true)
  t.same(after.membersOf(group(9)).toArray(), [1])
  t.same(before.membersOf(group(9)).toArray(), [])
  t.same(before.subgroupsOf(group(9)), [])
  t.same([...after.withSupergroups(group(10))], [10, 9])
  t.same([...before.withSupergroups(group(10))], [10])
})

t.test('[GROUP92] an unknown group is an error, not an empty group', async (t) => {
  t.throws(() => GroupGraph.initial.get(group(99)), { message: 'group 99 is not in the state' })
  t.throws(() => GroupGraph.initial.membersOf(group(99)))
})

interface Plain {
  readonly members: Set<number>
  readonly subgroups: Set<number>
}

/** The expected graph, computed in the plainest way. */
class Model {
  readonly groups = new Map<number, Plain>()

  get(id: number): Plain {
    const found = this.groups.get(id)
    if (!found) throw new Error(`no group ${id}`)
    return found
  }

  subgroupsOf(id: number): number[] {
    let found = sorted(this.get(id).subgroups)
    for (let before = -1; before < found.length; ) {
      before = found.length
      found = sorted([...found, ...found.flatMap((one) => [...this.get(one).subgroups])])
    }
    return found
  }

  membersOf(id: number): number[] {
    return sorted([id, ...this.subgroupsOf(id)].flatMap((one) => [...this.get(one).members]))
  }

  withSupergroups(id: number): number[] {
    return sorted([id, ...[...this.groups.keys()].filter((one) => this.subgroupsOf(one).includes(id))])
  }

  /** Every group is deeper than each of its subgroups; raised until this holds. */
  nestingDepth(): number {
    const depths = new Map([...this.groups.keys()].map((id) => [id, 1]))
    for (let raised = true; raised; ) {
      raised = false
      for (const [id, { subgroups }] of this.groups) {
        const depth = 1 + Math.max(0, ...[...subgroups].map((one) => depths.get(one) ?? 0))
        raised ||= depth !== depths.get(id)
        depths.set(id, depth)
      }
    }
    return Math.max(...depths.values())
  }
}

function change(set: Set<number>, ids: readonly number[], isAdding: boolean): void {
  for (const id of ids) {
    if (isAdding) set.add(id)
    else set.delete(id)
  }
}

function sorted(ids: Iterable<number>): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

t.test('[GROUP93] after any walk of changes a graph equals a plain model', async (t) => {
  const seed = Number(process.env.PARLEY_TEST_SEED ?? randomInt(2 ** 31))
  t.comment(`PARLEY_TEST_SEED=${seed}`)
  let random32 = seed
  const random = (below: number) => {
    random32 = (Math.imul(random32, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((random32 / 0x80000000) * below)
  }
  const some = (count: number, from: number, to: number) =>
    Array.from({ length: 1 + random(count) }, () => from + random(to - from + 1))
  const expectSame = (found: Iterable<number>, wanted: readonly number[], what: string) => {
    const got = [...found]
    if (got.join() !== wanted.join())
      throw new Error(`seed ${seed}: ${what} is ${got.join()}, not ${wanted.join()}`)
  }

  const model = new Model()
  let graph = GroupGraph.initial
  for (const [id, { directSubgroups }] of graph.groups) {
    model.groups.set(id, { members: new Set(), subgroups: new Set(directSubgroups) })
  }
  const TOP = 24
  for (let id = 9; id <= TOP; id++) {
    graph = added(graph, id)
    model.groups.set(id, { members: new Set(), subgroups: new Set() })
  }
  let nested = 0
  for (let step = 0; step < 600; step++) {
    const id = 9 + random(TOP - 8)
    const isAdding = random(3) > 0
    const plain = model.get(id)
    if (random(2) === 0) {
      const users = some(5, 1, 60)
      graph = graph.withMembers(group(id), users.map(user), isAdding)
      change(plain.members, users, isAdding)
    } else {
      const above = new Set(model.withSupergroups(id))
      const groups = sorted(some(3, 1, TOP)).filter((one) => !above.has(one))
      graph = graph.withSubgroups(group(id), groups.map(group), isAdding)
      change(plain.subgroups, groups, isAdding)
    }
    // Queries groups of all kinds, some before and some after a change of their subgroups.
    for (const one of some(4, 1, TOP)) {
      expectSame(graph.membersOf(group(one)), model.membersOf(one), `step ${step}: membersOf(${one})`)
      expectSame(graph.subgroupsOf(group(one)), model.subgroupsOf(one), `step ${step}: subgroupsOf(${one})`)
      expectSame(
        sorted(graph.withSupergroups(group(one))),
        model.withSupergroups(one),
        `step ${step}: withSupergroups(${one})`,
      )
    }
    const depth = model.nestingDepth()
    expectSame([graph.nestingDepth()], [depth], `step ${step}: nestingDepth`)
    if (depth > 7) nested++
    const setting: GroupSetting =
      random(2) === 0
        ? group(1 + random(TOP))
        : { directMembers: some(3, 1, 60).map(user), directSubgroups: some(2, 1, TOP).map(group) }
    const holders =
      typeof setting === 'number'
        ? model.membersOf(setting)
        : sorted([
            ...setting.directMembers,
            ...setting.directSubgroups.flatMap((one) => model.membersOf(one)),
          ])
    expectSame(graph.holdersOf(setting), holders, `step ${step}: holdersOf(${JSON.stringify(setting)})`)
    for (let one = 1; one <= 60; one += 1 + random(5)) {
      if (graph.holds(user(one), setting) !== holders.includes(one)) {
        throw new Error(`seed ${seed}: step ${step}: holds(${one}, ${JSON.stringify(setting)})`)
      }
    }
  }
  t.ok(nested > 0, 'groups were nested below those of the system')
})

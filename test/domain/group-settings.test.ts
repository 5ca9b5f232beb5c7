/** Permission settings: their single form, their defaults and their rules. */

import t from 'tap'
import {
  type ExplicitSet,
  type GroupSetting,
  isSameGroupSetting,
  normalizeGroupSetting,
} from '../../server/domain/groups/group-settings.ts'
import type { GroupId, UserId } from '../../server/domain/ids.ts'
import {
  CHANNEL_PERMISSIONS,
  completePermissions,
  findForbiddenGroup,
  GROUP_PERMISSIONS,
  ORGANIZATION_PERMISSIONS,
  type PermissionRule,
  violatesSystemGroups,
} from '../../server/domain/groups/permissions.ts'
import { SYSTEM_GROUPS } from '../../server/domain/groups/system-groups.ts'

const set = (users: number[], groups: number[]): ExplicitSet => ({
  directMembers: users as UserId[],
  directSubgroups: groups as GroupId[],
})
const group = (id: number) => id as GroupId

t.test(
  '[GROUP94] equal settings have one form: unique ids, a single group as itself, an empty set as nobody',
  async (t) => {
    const cases: [given: GroupSetting, normal: GroupSetting][] = [
      [group(5), group(5)],
      [set([], []), SYSTEM_GROUPS.nobody],
      [set([3, 1, 3, 2], [9, 4, 9]), set([1, 2, 3], [4, 9])],
      [set([], [4]), group(4)],
      [set([], [4, 4]), group(4)],
      [set([1], [4]), set([1], [4])],
      [set([10, 9], []), set([9, 10], [])],
    ]
    for (const [given, normal] of cases) {
      t.same(normalizeGroupSetting(given), normal)
      t.same(normalizeGroupSetting(normal), normal, 'unchanged')
      t.ok(isSameGroupSetting(normalizeGroupSetting(given), normal))
    }
  },
)

t.test('[GROUP95] settings differ by any user or group, and a group differs from any set', async (t) => {
  const all: GroupSetting[] = [
    group(4),
    group(5),
    set([], []),
    set([4], []),
    set([4, 5], []),
    set([], [4, 5]),
    set([4], [5]),
    set([4], [5, 6]),
  ]
  for (const [index, a] of all.entries()) {
    for (const [other, b] of all.entries()) t.equal(isSameGroupSetting(a, b), index === other)
  }
})

t.test(
  '[GROUP96] unset permissions have their defaults, and those of a creator name the creator',
  async (t) => {
    const given = { canJoin: group(5) }
    const complete = completePermissions(GROUP_PERMISSIONS, given, 4 as UserId)
    t.same(complete, {
      canAddMembers: set([4], []),
      canJoin: 5,
      canLeave: SYSTEM_GROUPS.everyone,
      canManage: set([4], []),
      canMention: SYSTEM_GROUPS.everyone,
      canRemoveMembers: SYSTEM_GROUPS.nobody,
    })
    t.equal(completePermissions(GROUP_PERMISSIONS, {}, null).canManage, SYSTEM_GROUPS.nobody)
    t.equal(completePermissions(ORGANIZATION_PERMISSIONS, {}, null).canManageAllGroups, SYSTEM_GROUPS.owners)
    t.equal(completePermissions(ORGANIZATION_PERMISSIONS, {}, null).canCreateGroups, SYSTEM_GROUPS.members)
  },
)

t.test('[GROUP97] every default is an allowed setting', async (t) => {
  for (const rules of [CHANNEL_PERMISSIONS, GROUP_PERMISSIONS, ORGANIZATION_PERMISSIONS]) {
    for (const [name, setting] of Object.entries(completePermissions<string>(rules, {}, 4 as UserId))) {
      const rule = (rules as Record<string, PermissionRule>)[name] as PermissionRule
      t.equal(findForbiddenGroup(rule, setting), undefined, name)
      t.equal(violatesSystemGroups(rule, setting), false, name)
      t.equal(findForbiddenGroup(rule, SYSTEM_GROUPS.internet), 'internet', name)
    }
  }
})

t.test('[GROUP98] a forbidden group is refused alone and within a set', async (t) => {
  const { canManage, canMention, canLeave } = GROUP_PERMISSIONS
  t.equal(findForbiddenGroup(canManage, SYSTEM_GROUPS.everyone), 'everyone')
  t.equal(findForbiddenGroup(canManage, set([1], [SYSTEM_GROUPS.everyone])), 'everyone')
  t.equal(findForbiddenGroup(canManage, set([SYSTEM_GROUPS.everyone], [])), undefined, 'a user, not a group')
  t.equal(findForbiddenGroup(canLeave, SYSTEM_GROUPS.everyone), undefined)
  t.equal(findForbiddenGroup(canMention, SYSTEM_GROUPS.owners), 'owners')
  t.equal(findForbiddenGroup(canMention, set([], [SYSTEM_GROUPS.administrators, 9])), undefined)
})

t.test('[GROUP99] a permission limited to some system groups accepts nothing else', async (t) => {
  const rule = ORGANIZATION_PERMISSIONS.canAccessAllUsers
  t.equal(violatesSystemGroups(rule, SYSTEM_GROUPS.everyone), false)
  t.equal(violatesSystemGroups(rule, SYSTEM_GROUPS.members), false)
  t.equal(violatesSystemGroups(rule, SYSTEM_GROUPS.owners), true)
  t.equal(violatesSystemGroups(rule, group(9)), true)
  t.equal(violatesSystemGroups(rule, set([4], [])), true)
  t.equal(violatesSystemGroups(rule, set([], [SYSTEM_GROUPS.members, SYSTEM_GROUPS.everyone])), true)
  t.equal(violatesSystemGroups(GROUP_PERMISSIONS.canJoin, set([4], [])), false)
})

/** Makes and changes the user groups that the company's provider of identities writes by SCIM. */

import { readScimGroups, type StoredScimGroup } from '../../../db/organization/scim-groups.ts'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import {
  decideProvisionedGroup,
  decideProvisionedGroupChange,
  decideProvisionedGroupRemoval,
  type GroupChangeRequest,
} from '../../decisions/groups/provision-group.ts'
import type { GroupState } from '../../domain/groups/group-graph.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import type { ScimGroup, ScimGroupBody } from '../../domain/scim/groups.ts'
import { refuse, ScimError } from '../../domain/scim/scim-error.ts'
import { fail } from '../../errors/api-error.ts'
import { submitForServer } from '../submit.ts'
import { BY_SCIM, isPerson, type Provisioning, rewrite } from './provision-people.ts'

/** A group as a request saw it: with what was stored of it. */
export interface SeenGroup {
  readonly state: GroupState
  readonly stored: StoredScimGroup | undefined
}

/** Makes a group, or brings back one that the provider or somebody here had removed; answers its id. */
export async function createGroup(services: Provisioning, body: ScimGroupBody): Promise<GroupId> {
  const { sql, state } = services
  const { name, memberIds, externalId } = body
  checkMembers(services, memberIds)
  const folded = foldCase(name)
  const found = [...state.groups.groups.values()].find(({ group }) => foldCase(group.name) === folded)
  const rows = await readScimGroups(sql, found ? [found.group.id] : [])
  const isGone = found && (found.group.isDeactivated || rows.get(found.group.id)?.isGone)
  if (found && !isGone) throw new ScimError(409, `There is a group ${name} already.`, 'uniqueness')
  if (found) {
    const change = { name, ...differenceOf(services, found, memberIds), isReturning: true }
    await changeGroup(services, { state: found, stored: rows.get(found.group.id) }, body, change)
    return found.group.id
  }
  const wanted = { name, memberIds, stored: { externalId: externalId ?? null, isGone: false } }
  return submitForServer(services, (scope) => decideProvisionedGroup({ ...scope, fail }, wanted), BY_SCIM)
}

/** Changes a group, and what is stored of it. Throws a `StaleScimError` if it is another one by now. */
export async function changeGroup(
  services: Provisioning,
  { state: seen, stored: present }: SeenGroup,
  { externalId }: Pick<ScimGroupBody, 'externalId'>,
  change: Omit<GroupChangeRequest, 'seen' | 'stored'>,
): Promise<void> {
  checkMembers(services, change.add)
  const stored = rewrite<ScimGroup>(present, { externalId: externalId ?? null, isGone: false })
  await submitForServer(
    services,
    (scope) => decideProvisionedGroupChange({ ...scope, fail }, { seen, stored, ...change }),
    BY_SCIM,
  )
}

/** Takes a group away from the provider: it has no people any more, and is deactivated unless something needs it. */
export async function removeGroup(
  services: Provisioning,
  { state: seen, stored: present }: SeenGroup,
): Promise<void> {
  const stored = rewrite<ScimGroup>(present, { externalId: present?.externalId ?? null, isGone: true })
  await submitForServer(
    services,
    (scope) => decideProvisionedGroupRemoval({ ...scope, fail }, { seen, stored }),
    BY_SCIM,
  )
}

/** The people of a group; bots and subgroups are none of the provider's business. */
function peopleOf({ state }: Provisioning, { directMembers }: GroupState): readonly UserId[] {
  return directMembers.toArray().filter((id) => isPerson(state.getUser(id)))
}

/** The changes that lead to these people. */
export function differenceOf(services: Provisioning, group: GroupState, memberIds: readonly UserId[]) {
  const wanted = new Set(memberIds)
  const present = peopleOf(services, group)
  return {
    add: memberIds.filter((id) => !group.directMembers.has(id)),
    remove: present.filter((id) => !wanted.has(id)),
  }
}

function checkMembers({ state }: Provisioning, ids: readonly UserId[]): void {
  const unknown = ids.find((id) => {
    const user = state.users.get(id)
    return !user || !isPerson(user)
  })
  if (unknown !== undefined) throw refuse('invalidValue', `There is no user ${unknown} for members.`)
}

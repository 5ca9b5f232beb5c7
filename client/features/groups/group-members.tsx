/** The members of a group: people and other groups. */

import { useSignal } from '@preact/signals'
import type { UserGroup } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { mayAddToGroup, mayRemoveFromGroup } from '../../store/derived/group-permissions.ts'
import { groupName, groupsById } from '../../store/derived/group-choices.ts'
import { usersById } from '../../store/derived/users.ts'
import { Face } from '../people/face.tsx'
import { Icon } from '../../ui/icon.tsx'
import { HolderPicker, type Holders, NOBODY } from '../people/holder-picker.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { possibleSubgroups } from './possible-subgroups.ts'

export function GroupMembers({ group }: { readonly group: UserGroup }) {
  const app = useApp()
  const state = useState()
  const saving = useSaving()
  const adding = useSignal<Holders>(NOBODY)
  const users = usersById(state)
  const groups = groupsById(state)
  const people = group.members
    .flatMap((id) => users.get(id) ?? [])
    .toSorted((a, b) => a.full_name.localeCompare(b.full_name))
  const ownId = state.user_id ?? 0
  const isMember = group.members.includes(ownId)
  const mayRemove = mayRemoveFromGroup(state, group)
  const isOpen = !group.is_system_group && !group.deactivated
  const change = (changes: {
    readonly add?: readonly number[]
    readonly delete?: readonly number[]
    readonly add_subgroups?: readonly number[]
    readonly delete_subgroups?: readonly number[]
  }) =>
    saving.save(() =>
      app.api.call('POST /user_groups/{user_group_id}/members', { user_group_id: group.id, ...changes }),
    )
  const add = async () => {
    const { direct_members: userIds, direct_subgroups: groupIds } = adding.value
    const isSaved = await change({
      ...(userIds.length > 0 ? { add: userIds } : {}),
      ...(groupIds.length > 0 ? { add_subgroups: groupIds } : {}),
    })
    if (isSaved) adding.value = NOBODY
  }
  const isEmpty = adding.value.direct_members.length + adding.value.direct_subgroups.length === 0
  const present = new Set(group.direct_subgroup_ids)
  return (
    <section class="settings-part" aria-labelledby="group-members">
      <div class="page-title">
        <h2 id="group-members">Members</h2>
        <SavedNote saving={saving} />
        {isOpen && !isMember && mayAddToGroup(state, group, [ownId]) && (
          <button class="button" onClick={() => void change({ add: [ownId] })}>
            Join
          </button>
        )}
        {isOpen && isMember && mayRemoveFromGroup(state, group, [ownId]) && (
          <button class="button" onClick={() => void change({ delete: [ownId] })}>
            Leave
          </button>
        )}
      </div>
      {isOpen && mayAddToGroup(state, group) && (
        <div class="form">
          <HolderPicker
            label="Add people and groups"
            emptyText=""
            value={adding.value}
            without={new Set(group.members)}
            choices={possibleSubgroups(state, group.id).filter(({ id }) => !present.has(id))}
            onChange={(next) => (adding.value = next)}
          />
          {!isEmpty && (
            <div class="actions">
              <button class="button primary" onClick={() => void add()}>
                Add to group
              </button>
            </div>
          )}
        </div>
      )}
      {people.length === 0 && present.size === 0 && <p class="quiet-text">No members yet</p>}
      <ul>
        {[...present].map((id) => {
          const one = groups.get(id)
          const name = one ? groupName(one) : 'Unknown group'
          return (
            <li key={id} class="card">
              <Icon name="people" />
              <div class="card-text">
                <a
                  class="card-name"
                  dir="auto"
                  href={app.router.hrefOf({ view: 'groups', path: [String(id)] })}
                >
                  {name}
                </a>
              </div>
              {isOpen && mayRemove && (
                <button
                  class="button small"
                  aria-label={`Remove ${name}`}
                  onClick={() => void change({ delete_subgroups: [id] })}
                >
                  Remove
                </button>
              )}
            </li>
          )
        })}
        {people.map((user) => (
          <li key={user.user_id} class="card">
            <Face userId={user.user_id} name={user.full_name} picture={user.avatar_url} size="small" />
            <div class="card-text">
              <span dir="auto">{user.full_name}</span>
            </div>
            {isOpen && mayRemove && (
              <button
                class="button small"
                aria-label={`Remove ${user.full_name}`}
                onClick={() => void change({ delete: [user.user_id] })}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The members of a group: people and other groups. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
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
import { t } from '../../texts/texts.ts'

interface Changes {
  readonly add?: readonly number[]
  readonly delete?: readonly number[]
  readonly add_subgroups?: readonly number[]
  readonly delete_subgroups?: readonly number[]
}
/** Resolves to whether they are saved. */
type Change = (changes: Changes) => Promise<boolean>

export function GroupMembers({ group }: { readonly group: UserGroup }) {
  const app = useApp()
  const state = useState()
  const saving = useSaving()
  const users = usersById(state)
  const groups = groupsById(state)
  const people = group.members
    .flatMap((id) => users.get(id) ?? [])
    .toSorted((a, b) => a.full_name.localeCompare(b.full_name))
  const ownId = state.user_id ?? 0
  const isMember = group.members.includes(ownId)
  const isOpen = !group.is_system_group && !group.deactivated
  const mayRemove = isOpen && mayRemoveFromGroup(state, group)
  const change: Change = (changes) =>
    saving.save(() =>
      app.api.call('POST /user_groups/{user_group_id}/members', { user_group_id: group.id, ...changes }),
    )
  const remover = (changes: Changes) => (mayRemove ? () => void change(changes) : undefined)
  const subgroupIds = [...new Set(group.direct_subgroup_ids)]
  return (
    <section class="settings-part" aria-labelledby="group-members">
      <div class="page-title">
        <h2 id="group-members">{t('Members')}</h2>
        <SavedNote saving={saving} />
        {isOpen && !isMember && mayAddToGroup(state, group, [ownId]) && (
          <button class="button" onClick={() => void change({ add: [ownId] })}>
            {t('Join')}
          </button>
        )}
        {isOpen && isMember && mayRemoveFromGroup(state, group, [ownId]) && (
          <button class="button" onClick={() => void change({ delete: [ownId] })}>
            {t('Leave')}
          </button>
        )}
      </div>
      {isOpen && mayAddToGroup(state, group) && <AddMembers group={group} change={change} />}
      {people.length === 0 && subgroupIds.length === 0 && <p class="quiet-text">{t('No members yet')}</p>}
      <ul>
        {subgroupIds.map((id) => {
          const one = groups.get(id)
          const name = one ? groupName(one) : t('Unknown group')
          return (
            <MemberLine key={`group ${id}`} name={name} onRemove={remover({ delete_subgroups: [id] })}>
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
            </MemberLine>
          )
        })}
        {people.map(({ user_id: id, full_name: name, avatar_url }) => (
          <MemberLine key={id} name={name} onRemove={remover({ delete: [id] })}>
            <Face userId={id} name={name} picture={avatar_url} size="small" />
            <div class="card-text">
              <span dir="auto">{name}</span>
            </div>
          </MemberLine>
        ))}
      </ul>
    </section>
  )
}

interface MemberLineProps {
  readonly name: string
  /** Undefined without the permission. */
  readonly onRemove: (() => void) | undefined
  readonly children: ComponentChildren
}

function MemberLine({ name, onRemove, children }: MemberLineProps) {
  return (
    <li class="card">
      {children}
      {onRemove && (
        <button class="button small" aria-label={t('Remove {name}', { name })} onClick={onRemove}>
          {t('Remove')}
        </button>
      )}
    </li>
  )
}

function AddMembers({ group, change }: { readonly group: UserGroup; readonly change: Change }) {
  const state = useState()
  const adding = useSignal<Holders>(NOBODY)
  const { direct_members: userIds, direct_subgroups: groupIds } = adding.value
  const add = async () => {
    const isSaved = await change({
      ...(userIds.length > 0 ? { add: userIds } : {}),
      ...(groupIds.length > 0 ? { add_subgroups: groupIds } : {}),
    })
    if (isSaved) adding.value = NOBODY
  }
  return (
    <div class="form">
      <HolderPicker
        label={t('Add people and groups')}
        emptyText=""
        value={adding.value}
        without={new Set(group.members)}
        choices={possibleSubgroups(state, group.id).filter(
          ({ id }) => !group.direct_subgroup_ids.includes(id),
        )}
        onChange={(next) => (adding.value = next)}
      />
      {userIds.length + groupIds.length > 0 && (
        <div class="actions">
          <button class="button primary" onClick={() => void add()}>
            {t('Add to group')}
          </button>
        </div>
      )}
    </div>
  )
}

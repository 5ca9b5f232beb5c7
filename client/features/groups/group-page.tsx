/** One group: its name, its members, and who may do what with it. */

import { useSignal } from '@preact/signals'
import type { UserGroup } from '../../../packages/client/src/wire-types.ts'
import type { ParamsOf } from '../../../packages/client/src/client.ts'
import { useApp, useState } from '../../app/app.ts'
import { mayManageGroup } from '../../store/derived/group-permissions.ts'
import { groupName, groupsById } from '../../store/derived/group-choices.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { PermissionPicker } from '../people/permission-picker.tsx'
import { TextSetting } from '../../ui/setting.tsx'
import { showError } from '../../ui/toasts.tsx'
import { GROUP_DESCRIPTION_LENGTH_MAX, GROUP_NAME_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { GroupMembers } from './group-members.tsx'

const PERMISSIONS = [
  ['can_mention_group', 'Mention the group', 'A mention notifies all members.'],
  ['can_join_group', 'Join', 'Without being added by someone else.'],
  ['can_leave_group', 'Leave', 'Without being removed by someone else.'],
  ['can_add_members_group', 'Add members', 'People and other groups.'],
  ['can_remove_members_group', 'Remove members', 'People and other groups.'],
  ['can_manage_group', 'Manage the group', 'Everything on this page.'],
] as const

type Update = Omit<ParamsOf<'PATCH /user_groups/{user_group_id}'>, 'user_group_id'>

export function GroupPage({ groupId }: { readonly groupId: number }) {
  const { api } = useApp()
  const state = useState()
  const group = groupsById(state).get(groupId)
  if (!group)
    return (
      <p class="empty">
        This group doesn’t exist. <a href="#groups">All groups</a>
      </p>
    )
  const mayManage = mayManageGroup(state, group)
  const update = (changes: Update) =>
    api.call('PATCH /user_groups/{user_group_id}', { user_group_id: groupId, ...changes })
  return (
    <>
      <p class="section-about">
        <a href="#groups">Groups</a>
      </p>
      <section class="settings-part" aria-labelledby="group">
        <h2 id="group" dir="auto">
          {groupName(group)}
        </h2>
        {group.deactivated && (
          <p class="note">This group is deactivated. It can’t be mentioned or get new members.</p>
        )}
        {group.is_system_group ? (
          <p class="quiet-text">Membership follows from people’s roles.</p>
        ) : (
          <>
            <TextSetting
              label="Name"
              value={group.name}
              lengthMax={GROUP_NAME_LENGTH_MAX}
              isDisabled={!mayManage}
              onSave={(name) => update({ name: name.trim() })}
            />
            <TextSetting
              label="Description"
              value={group.description}
              lengthMax={GROUP_DESCRIPTION_LENGTH_MAX}
              isDisabled={!mayManage}
              onSave={(description) => update({ description })}
            />
          </>
        )}
      </section>
      <GroupMembers group={group} />
      {!group.is_system_group && (
        <section class="settings-part" aria-labelledby="group-permissions">
          <h2 id="group-permissions">Who can</h2>
          <div class="setting-grid">
            {PERMISSIONS.map(([setting, label, hint]) => (
              <PermissionPicker
                key={setting}
                label={label}
                hint={hint}
                kind="group"
                setting={setting}
                value={group[setting]}
                isDisabled={!mayManage}
                onSave={(next) => update({ [setting]: { new: next, old: group[setting] } })}
              />
            ))}
          </div>
        </section>
      )}
      {mayManage && <GroupEnd group={group} onReactivate={() => update({ deactivated: false })} />}
    </>
  )
}

interface GroupEndProps {
  readonly group: UserGroup
  readonly onReactivate: () => Promise<unknown>
}

/** Deactivates the group, or brings it back. */
function GroupEnd({ group, onReactivate }: GroupEndProps) {
  const { api } = useApp()
  const isAsked = useSignal(false)
  return (
    <section class="settings-part" aria-label="Deactivation">
      <div class="actions start">
        {group.deactivated ? (
          <button class="button" onClick={() => void onReactivate().catch(showError)}>
            Reactivate group
          </button>
        ) : (
          <button class="button danger" onClick={() => (isAsked.value = true)}>
            Deactivate group
          </button>
        )}
      </div>
      {isAsked.value && (
        <Confirm
          title={`Deactivate ${group.name}?`}
          action="Deactivate"
          onConfirm={() =>
            api.call('POST /user_groups/{user_group_id}/deactivate', { user_group_id: group.id })
          }
          onClose={() => (isAsked.value = false)}
        >
          <p>
            No one will be able to mention it. It keeps its name and members, and can be reactivated. It must
            not hold a permission or be a member of another group.
          </p>
        </Confirm>
      )}
    </section>
  )
}

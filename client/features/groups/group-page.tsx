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
import { t } from '../../texts/texts.ts'

const PERMISSIONS = [
  ['can_mention_group', t('Mention the group'), t('A mention notifies all members.')],
  ['can_join_group', t('Join'), t('Without being added by someone else.')],
  ['can_leave_group', t('Leave'), t('Without being removed by someone else.')],
  ['can_add_members_group', t('Add members'), t('People and other groups.')],
  ['can_remove_members_group', t('Remove members'), t('People and other groups.')],
  ['can_manage_group', t('Manage the group'), t('Everything on this page.')],
] as const

type Update = Omit<ParamsOf<'PATCH /user_groups/{user_group_id}'>, 'user_group_id'>

export function GroupPage({ groupId }: { readonly groupId: number }) {
  const { api } = useApp()
  const state = useState()
  const group = groupsById(state).get(groupId)
  if (!group)
    return (
      <p class="empty">
        {t('This group doesn’t exist.')} <a href="#groups">{t('All groups')}</a>
      </p>
    )
  const mayManage = mayManageGroup(state, group)
  const update = (changes: Update) =>
    api.call('PATCH /user_groups/{user_group_id}', { user_group_id: groupId, ...changes })
  return (
    <>
      <p class="section-about">
        <a href="#groups">{t('Groups')}</a>
      </p>
      <section class="settings-part" aria-labelledby="group">
        <h2 id="group">
          <bdi>{groupName(group)}</bdi>
        </h2>
        {group.deactivated && (
          <p class="note">{t('This group is deactivated. It can’t be mentioned or get new members.')}</p>
        )}
        {group.is_system_group ? (
          <p class="quiet-text">{t('Membership follows from people’s roles.')}</p>
        ) : (
          <>
            <TextSetting
              label={t('Name')}
              value={group.name}
              lengthMax={GROUP_NAME_LENGTH_MAX}
              isDisabled={!mayManage}
              onSave={(name) => update({ name: name.trim() })}
            />
            <TextSetting
              label={t('Description')}
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
          <h2 id="group-permissions">{t('Who can')}</h2>
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
    <section class="settings-part" aria-label={t('Deactivation')}>
      <div class="actions start">
        {group.deactivated ? (
          <button class="button" onClick={() => void onReactivate().catch(showError)}>
            {t('Reactivate group')}
          </button>
        ) : (
          <button class="button danger" onClick={() => (isAsked.value = true)}>
            {t('Deactivate group')}
          </button>
        )}
      </div>
      {isAsked.value && (
        <Confirm
          title={t('Deactivate {name}?', { name: group.name })}
          action={t('Deactivate')}
          onConfirm={() =>
            api.call('POST /user_groups/{user_group_id}/deactivate', { user_group_id: group.id })
          }
          onClose={() => (isAsked.value = false)}
        >
          <p>
            {t(
              'No one will be able to mention it. It keeps its name and members, and can be reactivated. It must not hold a permission or be a member of another group.',
            )}
          </p>
        </Confirm>
      )}
    </section>
  )
}

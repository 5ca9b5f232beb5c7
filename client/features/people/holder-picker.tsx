/** Picks people and groups by their names. */

import type { GroupSetting, UserGroup } from '../../../packages/client/src/wire-types.ts'
import { useState } from '../../app/app.ts'
import type { State } from '../../store/apply.ts'
import { findUsers } from '../../store/derived/find-users.ts'
import { groupName, groupsById } from '../../store/derived/group-choices.ts'
import { nameOf } from '../../store/derived/users.ts'
import { Face } from './face.tsx'
import { Icon } from '../../ui/icon.tsx'
import { NamePicker, OFFERED_MAX } from '../../ui/name-picker.tsx'
import { t } from '../../texts/texts.ts'

/** People and groups, without a name for all of them. */
export type Holders = Exclude<GroupSetting, number>

/** An empty set. */
export const NOBODY: Holders = { direct_members: [], direct_subgroups: [] }

interface HolderPickerProps {
  /** Names the field for screen readers. */
  readonly label: string
  readonly value: Holders
  /** The groups that may be added. */
  readonly choices: readonly UserGroup[]
  readonly onChange: (value: Holders) => void
  readonly isDisabled?: boolean
  /** People who are not offered, such as present members. */
  readonly without?: ReadonlySet<number>
  /** Stands for an empty set. */
  readonly emptyText?: string
}

const NONE: ReadonlySet<number> = new Set()

export function HolderPicker(props: HolderPickerProps) {
  const { label, value, onChange } = props
  const { isDisabled = false, without = NONE, emptyText = t('Nobody') } = props
  const state = useState()
  return (
    <NamePicker
      label={label}
      isLabelHidden
      placeholder={t('Add a person or a group')}
      emptyText={emptyText}
      noneText={t('No one found')}
      isDisabled={isDisabled}
      chips={chipsOf(state, value, onChange)}
      findOffers={(text) => offersFor(state, text.toLocaleLowerCase(), { ...props, without }, onChange)}
    />
  )
}

type Change = (value: Holders) => void

/** The groups and people that fit a text and can be added. */
function offersFor(
  state: State,
  sought: string,
  {
    value,
    choices,
    without,
  }: Pick<HolderPickerProps, 'value' | 'choices'> & { readonly without: ReadonlySet<number> },
  change: Change,
) {
  const { direct_members: userIds, direct_subgroups: groupIds } = value
  const groups = choices.filter(
    (one) => !groupIds.includes(one.id) && groupName(one).toLocaleLowerCase().includes(sought),
  )
  const users = findUsers(state, sought, OFFERED_MAX + userIds.length + without.size).filter(
    (one) => !userIds.includes(one.user_id) && !without.has(one.user_id),
  )
  return [
    ...groups.map((group) => ({
      key: `g${group.id}`,
      name: groupName(group),
      mark: <Icon name="people" />,
      add: () => change({ ...value, direct_subgroups: [...groupIds, group.id] }),
    })),
    ...users.map((user) => ({
      key: `u${user.user_id}`,
      name: user.full_name,
      mark: <Face userId={user.user_id} name={user.full_name} picture={user.avatar_url} size="small" />,
      add: () => change({ ...value, direct_members: [...userIds, user.user_id] }),
    })),
  ]
}

/** The chosen groups and people. */
function chipsOf(state: State, value: Holders, change: Change) {
  const { direct_members: userIds, direct_subgroups: groupIds } = value
  const groups = groupsById(state)
  return [
    ...groupIds.map((one) => {
      const group = groups.get(one)
      return {
        key: `g${one}`,
        name: group ? groupName(group) : t('Unknown group'),
        remove: () => change({ ...value, direct_subgroups: groupIds.filter((other) => other !== one) }),
      }
    }),
    ...userIds.map((one) => ({
      key: `u${one}`,
      name: nameOf(state, one),
      remove: () => change({ ...value, direct_members: userIds.filter((other) => other !== one) }),
    })),
  ]
}

/** Picks people and groups by their names. */

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { GroupSetting, UserGroup } from '../../../packages/client/src/wire-types.ts'
import { useState } from '../../app/app.ts'
import type { State } from '../../store/apply.ts'
import { findUsers } from '../../store/derived/find-users.ts'
import { groupName, groupsById } from '../../store/derived/group-choices.ts'
import { nameOf } from '../../store/derived/users.ts'
import { Face } from './face.tsx'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../texts/texts.ts'

/** People and groups, without a name for all of them. */
export type Holders = Exclude<GroupSetting, number>

/** An empty set. */
export const NOBODY: Holders = { direct_members: [], direct_subgroups: [] }

/** Names below the field. */
const SHOWN_MAX = 6

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
  const text = useSignal('')
  const id = useId()
  const change = (next: Holders) => {
    onChange(next)
    text.value = ''
    document.getElementById(id)?.focus()
  }
  const sought = text.value.trim().toLocaleLowerCase()
  const offered = sought === '' ? [] : offersFor(state, sought, { ...props, without }, change)
  const chips = chipsOf(state, value, change)
  return (
    <div class="field picker">
      {chips.length === 0 ? (
        emptyText !== '' && <p class="quiet-text">{emptyText}</p>
      ) : (
        <ul class="chips">
          {chips.map(({ key, name, remove }) => (
            <li key={key} class="chip">
              <span dir="auto">{name}</span>
              <button
                type="button"
                class="ghost"
                aria-label={t('Remove {name}', { name })}
                disabled={isDisabled}
                onClick={remove}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {!isDisabled && (
        <input
          id={id}
          aria-label={label}
          value={text.value}
          autoComplete="off"
          placeholder={t('Add a person or a group')}
          onInput={(event) => (text.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing || sought === '') return
            event.preventDefault()
            offered[0]?.add()
          }}
        />
      )}
      {sought !== '' && (
        <ul class="offered">
          {offered.map(({ key, name, mark, add }) => (
            <li key={key}>
              <button type="button" class="row" onClick={add}>
                {mark}
                <span class="name" dir="auto">
                  {name}
                </span>
              </button>
            </li>
          ))}
          {offered.length === 0 && <li class="none">{t('No one found')}</li>}
        </ul>
      )}
    </div>
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
  const users = findUsers(state, sought, SHOWN_MAX + userIds.length + without.size).filter(
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
  ].slice(0, SHOWN_MAX)
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

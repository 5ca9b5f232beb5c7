/** The holders of a permission: a role, a group, or a set of people and groups. It saves itself. */

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { GroupSetting } from '../../../packages/client/src/wire-types.ts'
import { useState } from '../../app/app.ts'
import { choicesOf, groupName, groupsById, type PermissionKind } from '../../store/derived/group-choices.ts'
import { HolderPicker } from './holder-picker.tsx'
import { SavedNote, useSavedValue } from '../../ui/saving.tsx'
import { t } from '../../texts/texts.ts'

interface PermissionPickerProps {
  readonly label: string
  readonly hint?: string
  readonly kind: PermissionKind
  /** The name of the setting in the API. */
  readonly setting: string
  readonly value: GroupSetting
  readonly onSave: (value: GroupSetting) => Promise<unknown>
  readonly isDisabled?: boolean
}

/** Stands for a set of people and groups. */
const SET = 'set'

export function PermissionPicker(props: PermissionPickerProps) {
  const { label, hint, kind, setting, value, onSave, isDisabled = false } = props
  const state = useState()
  const saved = useSavedValue(value, onSave)
  /** A set that is not saved yet. */
  const begun = useSignal<GroupSetting | undefined>(undefined)
  const id = useId()
  const shown = begun.value ?? saved.shown
  const choices = choicesOf(state, kind, setting)
  const takesSets =
    state.server_supported_permission_settings?.[kind][setting]?.require_system_group === false
  // A group that is no choice any more is still shown.
  const other = typeof shown === 'number' && !choices.some((one) => one.id === shown) ? shown : undefined
  const otherGroup = other === undefined ? undefined : groupsById(state).get(other)
  const save = (next: GroupSetting) => {
    begun.value = undefined
    void saved.choose(next)
  }
  const choose = (option: string) => {
    if (option !== SET) return save(Number(option))
    // The set starts with the present group, and is saved by its first change.
    begun.value = typeof shown === 'number' ? { direct_members: [], direct_subgroups: [shown] } : shown
  }
  return (
    <div class="setting field">
      <label for={id}>
        {label} <SavedNote saving={saved.saving} />
      </label>
      <select
        id={id}
        value={typeof shown === 'number' ? String(shown) : SET}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {other !== undefined && (
          <option value={String(other)}>{otherGroup ? groupName(otherGroup) : t('Unknown group')}</option>
        )}
        {choices.map((group) => (
          <option key={group.id} value={String(group.id)}>
            {groupName(group)}
          </option>
        ))}
        {(takesSets || typeof shown !== 'number') && <option value={SET}>{t('People and groups…')}</option>}
      </select>
      {typeof shown !== 'number' && (
        <HolderPicker
          label={t('{label}: people and groups', { label })}
          value={shown}
          choices={choices}
          isDisabled={isDisabled}
          onChange={save}
        />
      )}
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}

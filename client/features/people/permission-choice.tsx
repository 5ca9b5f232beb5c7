/** The holder of a permission: a role or a group. */

import type { GroupSetting } from '../../../packages/client/src/wire-types.ts'
import { useState } from '../../app/app.ts'
import {
  choicesOf,
  describeSetting,
  groupName,
  type PermissionKind,
} from '../../store/derived/group-choices.ts'
import { Choice } from '../../ui/setting.tsx'

interface PermissionChoiceProps {
  readonly label: string
  readonly kind: PermissionKind
  /** The name of the setting in the API. */
  readonly setting: string
  readonly value: GroupSetting
  readonly onSave: (groupId: number) => Promise<unknown>
  readonly isDisabled?: boolean
}

/** Stands for a permission of single people and groups. */
const SEVERAL = 'several'

export function PermissionChoice({ label, kind, setting, value, onSave, isDisabled }: PermissionChoiceProps) {
  const state = useState()
  const choices = choicesOf(state, kind, setting)
  const options = choices.map((group) => [String(group.id), groupName(group)] as const)
  const isListed = typeof value === 'number' && choices.some(({ id }) => id === value)
  const current = isListed ? String(value) : SEVERAL
  return (
    <Choice
      label={label}
      value={current}
      options={isListed ? options : [[SEVERAL, describeSetting(state, value)], ...options]}
      onSave={(chosen) => (chosen === SEVERAL ? Promise.resolve() : onSave(Number(chosen)))}
      isDisabled={isDisabled}
    />
  )
}

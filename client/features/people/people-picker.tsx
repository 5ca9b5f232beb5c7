/** Picks people by their names. */

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useState } from '../../app/app.ts'
import { findUsers } from '../../store/derived/find-users.ts'
import { nameOf } from '../../store/derived/users.ts'
import { Face } from './face.tsx'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../texts/texts.ts'

/** Names below the field. */
const SHOWN_MAX = 6

interface PeoplePickerProps {
  readonly label: string
  readonly chosen: readonly number[]
  readonly onChange: (userIds: readonly number[]) => void
  /** People who are not offered, such as present members. */
  readonly without: readonly number[]
}

export function PeoplePicker({ label, chosen, onChange, without }: PeoplePickerProps) {
  const state = useState()
  const text = useSignal('')
  const id = useId()
  const hidden = new Set([...chosen, ...without])
  const isOffering = text.value.trim() !== ''
  const offered = isOffering
    ? findUsers(state, text.value, SHOWN_MAX + hidden.size)
        .filter((user) => !hidden.has(user.user_id))
        .slice(0, SHOWN_MAX)
    : []
  const add = (userId: number) => {
    onChange([...chosen, userId])
    text.value = ''
    document.getElementById(id)?.focus()
  }
  return (
    <div class="field picker">
      <label for={id}>{label}</label>
      {chosen.length > 0 && (
        <ul class="chips">
          {chosen.map((userId) => (
            <li key={userId} class="chip">
              <span dir="auto">{nameOf(state, userId)}</span>
              <button
                type="button"
                class="ghost"
                aria-label={t('Remove {name}', { name: nameOf(state, userId) })}
                onClick={() => onChange(chosen.filter((one) => one !== userId))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        value={text.value}
        autoComplete="off"
        placeholder={t('Type a name')}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          const [first] = offered
          if (event.key !== 'Enter' || !isOffering || event.isComposing) return
          event.preventDefault()
          if (first) add(first.user_id)
        }}
      />
      {isOffering && (
        <ul class="offered">
          {offered.map((user) => (
            <li key={user.user_id}>
              <button type="button" class="row" onClick={() => add(user.user_id)}>
                <Face userId={user.user_id} name={user.full_name} picture={user.avatar_url} size="small" />
                <span class="name" dir="auto">
                  {user.full_name}
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

/** Picks people by their names. */

import { useState } from '../../app/app.ts'
import { findUsers } from '../../store/derived/find-users.ts'
import { nameOf } from '../../store/derived/users.ts'
import { NamePicker, OFFERED_MAX } from '../../ui/name-picker.tsx'
import { Face } from './face.tsx'
import { t } from '../../texts/texts.ts'

interface PeoplePickerProps {
  readonly label: string
  readonly chosen: readonly number[]
  readonly onChange: (userIds: readonly number[]) => void
  /** People who are not offered, such as present members. */
  readonly without: readonly number[]
  /** The people for a text: active ones, if nothing else is said. */
  readonly find?: typeof findUsers
}

export function PeoplePicker({ label, chosen, onChange, without, find = findUsers }: PeoplePickerProps) {
  const state = useState()
  const hidden = new Set([...chosen, ...without])
  return (
    <NamePicker
      label={label}
      placeholder={t('Type a name')}
      noneText={t('No one found')}
      chips={chosen.map((userId) => ({
        key: String(userId),
        name: nameOf(state, userId),
        remove: () => onChange(chosen.filter((one) => one !== userId)),
      }))}
      findOffers={(text) =>
        find(state, text, OFFERED_MAX + hidden.size)
          .filter((user) => !hidden.has(user.user_id))
          .map((user) => ({
            key: String(user.user_id),
            name: user.full_name,
            mark: <Face userId={user.user_id} name={user.full_name} picture={user.avatar_url} size="small" />,
            ...(user.is_active ? {} : { about: t('Deactivated') }),
            add: () => onChange([...chosen, user.user_id]),
          }))
      }
    />
  )
}

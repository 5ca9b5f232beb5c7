/** The panel of direct messages: the people, and the files. */

import { useState } from '../../app/app.ts'
import { usersById } from '../../store/derived/users.ts'
import { ofDirect } from '../../store/narrows/narrow.ts'
import { PersonRow } from '../people/person-row.tsx'
import { SharedFiles } from './shared-files.tsx'
import { t } from '../../texts/texts.ts'

export function DirectPanel({ otherIds }: { readonly otherIds: readonly number[] }) {
  const state = useState()
  const users = usersById(state)
  const ids = otherIds.length === 0 ? [state.user_id ?? 0] : otherIds
  return (
    <>
      <h3>{ids.length === 1 ? t('Person') : t('People')}</h3>
      <ul>
        {ids.flatMap((id) => {
          const user = users.get(id)
          return user ? <PersonRow key={id} user={user} /> : []
        })}
      </ul>
      <SharedFiles narrow={ofDirect(otherIds)} />
    </>
  )
}

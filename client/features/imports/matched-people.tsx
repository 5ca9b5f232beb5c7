/** People of an archive who have accounts here: their messages come under these. */

import { useState } from '../../app/app.ts'
import { nameOf, usersById } from '../../store/derived/users.ts'
import { Face } from '../people/face.tsx'
import type { ImportReport } from './use-imports.ts'
import { t } from '../../texts/texts.ts'

type Matched = NonNullable<ImportReport['matched_people']>

export function MatchedPeople({ people }: { readonly people: Matched }) {
  const state = useState()
  if (people.length === 0) return null
  const accounts = usersById(state)
  return (
    <details class="matched-people">
      <summary>
        {t(
          '{count, plural, one {# person has} other {# people have}} an account here with the same address',
          {
            count: people.length,
          },
        )}
      </summary>
      <ul>
        {people.map(({ name, user_id: id }) => (
          <li key={`${id} ${name}`}>
            <bdi>{name}</bdi> <span aria-hidden="true">→</span>
            <Face userId={id} name={nameOf(state, id)} picture={accounts.get(id)?.avatar_url} size="small" />
            <bdi>{nameOf(state, id)}</bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Tells a member that a direct conversation has guests, where the organization wants it. */

import { useState } from '../../app/app.ts'
import { warnedGuests } from '../../store/derived/guests.ts'
import { nameOf } from '../../store/derived/users.ts'
import type { DraftPlace } from '../../store/drafts/draft-entry.ts'
import { locale, t } from '../../texts/texts.ts'

const LIST = new Intl.ListFormat(locale, { type: 'conjunction' })

export function GuestNote({ place }: { readonly place: DraftPlace }) {
  const state = useState()
  const guests = place.type === 'direct' ? warnedGuests(state, place.userIds) : []
  if (guests.length === 0) return null
  const names = LIST.format(guests.map((id) => nameOf(state, id)))
  return (
    <p class="composer-note" role="status" dir="auto">
      {t('{count, plural, one {{names} is a guest} other {{names} are guests}} in your organization.', {
        count: guests.length,
        names,
      })}
    </p>
  )
}

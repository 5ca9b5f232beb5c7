/** The name of a conversation with people. */

import type { State } from '../apply.ts'
import { isMarkedGuest } from './guests.ts'
import { nameOf } from './users.ts'
import { t } from '../../texts/texts.ts'

export function directName(state: State, otherIds: readonly number[]): string {
  if (otherIds.length === 0) return t('Notes to yourself')
  return otherIds
    .map((id) =>
      isMarkedGuest(state, id) ? t('{name} (guest)', { name: nameOf(state, id) }) : nameOf(state, id),
    )
    .join(', ')
}

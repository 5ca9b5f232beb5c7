/** The people who are typing here. */

import { useApp, useState } from '../../app/app.ts'
import { mutedPeople } from '../../store/derived/muted-people.ts'
import { typingKeys } from '../../store/derived/typing.ts'
import { nameOf } from '../../store/derived/users.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { destinationOf } from './destination.ts'
import { makeOnce } from '../../store/make-once.ts'

const NAMED_MAX = 3

export function TypingLine({ narrow }: { readonly narrow: Narrow }) {
  const app = useApp()
  const state = useState()
  const destination = destinationOf(narrow)
  let key: string | undefined
  if (destination?.type === 'direct') key = typingKeys.direct([...destination.userIds, state.user_id ?? 0])
  else if (destination?.topic !== undefined) key = typingKeys.topic(destination.channelId, destination.topic)
  const names =
    key === undefined
      ? []
      : app.typing
          .at(key)
          .filter((id) => id !== state.user_id && !mutedPeople(state).has(id))
          .map((id) => nameOf(state, id))
  return (
    <div class="typing" role="status" aria-live="polite" dir="auto">
      {names.length > 0 && describe(names)}
    </div>
  )
}

const listFormat = makeOnce(() => new Intl.ListFormat('en', { type: 'conjunction' }))

function describe(names: readonly string[]): string {
  if (names.length > NAMED_MAX) return 'Several people are typing…'
  return `${listFormat().format(names)} ${names.length === 1 ? 'is' : 'are'} typing…`
}

/** The people who are typing here. */

import { useApp, useState } from '../../app/app.ts'
import { mutedPeople } from '../../store/derived/muted-people.ts'
import { typingKeys } from '../../store/derived/typing.ts'
import { nameOf } from '../../store/derived/users.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { destinationOf } from './destination.ts'
import { makeOnce } from '../../store/make-once.ts'
import { locale, t } from '../../texts/texts.ts'
import { Text } from '../../texts/text.tsx'

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
    <div class="typing" role="status" aria-live="polite">
      {names.length > 0 && <Typing names={names} />}
    </div>
  )
}

const listFormat = makeOnce(() => new Intl.ListFormat(locale, { type: 'conjunction' }))

/** Each name has its own direction, and the line that of the page. */
function Typing({ names }: { readonly names: readonly string[] }) {
  if (names.length > NAMED_MAX) return <>{t('Several people are typing…')}</>
  return (
    <Text
      of="{count, plural, one {<0/> is typing…} other {<0/> are typing…}}"
      values={{ count: names.length }}
      parts={[
        <>
          {listFormat()
            .formatToParts(names)
            .map(({ type, value }, index) => (type === 'element' ? <bdi key={index}>{value}</bdi> : value))}
        </>,
      ]}
    />
  )
}

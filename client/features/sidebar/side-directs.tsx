/** Conversations with people: recent ones, and all with unread messages. */

import { useApp, useState } from '../../app/app.ts'
import { directConversations } from '../../store/derived/direct-conversations.ts'
import { usersById } from '../../store/derived/users.ts'
import { ofDirect } from '../../store/narrows/narrow.ts'
import { Face } from '../people/face.tsx'
import { Icon } from '../../ui/icon.tsx'
import { directName } from '../../store/derived/direct-name.ts'
import { shownPresence } from '../people/shown-presence.ts'
import { Count } from '../../ui/count.tsx'
import { isSame } from '../../store/narrows/is-same.ts'

/** Read conversations beyond these are found by search. */
const READ_SHOWN_MAX = 6

export function SideDirects() {
  const state = useState()
  const shown = directConversations(state).filter(
    ({ unreadCount }, index) => index < READ_SHOWN_MAX || unreadCount > 0,
  )
  return (
    <section aria-labelledby="side-directs">
      <h2 id="side-directs">
        Direct messages
        <a class="ghost" href="#new-direct" aria-label="New direct message">
          <Icon name="add" />
        </a>
      </h2>
      <ul>
        {shown.map((one) => (
          <DirectRow key={one.otherIds.join()} otherIds={one.otherIds} count={one.unreadCount} />
        ))}
      </ul>
    </section>
  )
}

function DirectRow({ otherIds, count }: { readonly otherIds: readonly number[]; readonly count: number }) {
  const app = useApp()
  const { router } = app
  const state = useState()
  const users = usersById(state)
  const route = { view: 'narrow', narrow: ofDirect(otherIds) } as const
  const first = users.get(otherIds[0] ?? state.user_id ?? 0)
  return (
    <li>
      <a
        class={count > 0 ? 'row unread' : 'row'}
        href={router.hrefOf(route)}
        aria-current={isSame(router.route.value, route) ? 'page' : undefined}
      >
        {otherIds.length > 1 ? (
          <span class="face small several" aria-hidden="true">
            {otherIds.length}
          </span>
        ) : (
          <Face
            userId={first?.user_id ?? 0}
            name={first?.full_name ?? ''}
            picture={first?.avatar_url}
            size="small"
            presence={shownPresence(app, first?.user_id ?? 0)}
          />
        )}
        <span class="name" dir="auto">
          {directName(state, otherIds)}
        </span>
        <Count count={count} isImportant />
      </a>
    </li>
  )
}

/** Conversations with people: those with unread messages, then recent ones. */

import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { type DirectConversation, directConversations } from '../../store/derived/direct-conversations.ts'
import { directName } from '../../store/derived/direct-name.ts'
import { usersById } from '../../store/derived/users.ts'
import { ofDirect } from '../../store/narrows/narrow.ts'
import type { Route } from '../../store/narrows/route.ts'
import { Icon } from '../../ui/icon.tsx'
import { Face } from '../people/face.tsx'
import { shownPresence } from '../people/shown-presence.ts'
import { type OpenDirect, shownDirects } from './shown-places.ts'
import { SideList } from './side-list.tsx'
import { RowCount, SideRow } from './side-row.tsx'
import { SideSection } from './side-section.tsx'
import { t } from '../../texts/texts.ts'

/** Older conversations are found by search. */
const ALL_SHOWN_MAX = 100

export function SideDirects() {
  const state = useState()
  const { router } = useApp()
  const isLong = useSignal(false)
  const conversations = directConversations(state)
  const open = useOpenDirect(router.route.value, conversations)
  const { shown, rest } = shownDirects(conversations, open)
  const all = isLong.value ? [...shown, ...rest].slice(0, ALL_SHOWN_MAX) : shown
  const sum = (of: readonly DirectConversation[]) => of.reduce((all, one) => all + one.unreadCount, 0)
  const newDirect = (
    <a class="ghost" href="#new-direct" aria-label={t('New direct message')}>
      <Icon name="add" />
    </a>
  )
  return (
    <SideSection
      id="direct"
      heading={t('Direct messages')}
      count={0}
      calls={sum(conversations)}
      tools={newDirect}
    >
      {(isFolded) => (
        <SideList label={t('Direct messages')}>
          {all
            .filter(({ otherIds }) => !isFolded || otherIds.join() === open?.key)
            .map(({ otherIds, unreadCount }) => (
              <DirectRow key={otherIds.join()} otherIds={otherIds} count={unreadCount} />
            ))}
          {!isFolded && rest.length > 0 && (
            <li class="side-place">
              <button
                class="row more"
                tabIndex={-1}
                aria-expanded={isLong.value}
                onClick={() => (isLong.value = !isLong.value)}
              >
                <span class="name">
                  {isLong.value ? t('Show fewer') : t('{count} more', { count: rest.length })}
                </span>
                {!isLong.value && <RowCount calls={sum(rest)} />}
              </button>
            </li>
          )}
        </SideList>
      )}
    </SideSection>
  )
}

/** The conversation that is shown, and whether it was unread when it came. */
function useOpenDirect(route: Route, conversations: readonly DirectConversation[]): OpenDirect | undefined {
  const last = useRef<OpenDirect>(undefined)
  const dm = route.view === 'narrow' ? route.narrow.find(({ operator }) => operator === 'dm') : undefined
  const key = dm?.operator === 'dm' ? dm.operand.toSorted((a, b) => a - b).join() : undefined
  if (key === undefined) last.current = undefined
  else if (last.current?.key !== key) {
    const conversation = conversations.find(({ otherIds }) => otherIds.join() === key)
    last.current = { key, wasUnread: (conversation?.unreadCount ?? 0) > 0 }
  }
  return last.current
}

function DirectRow({ otherIds, count }: { readonly otherIds: readonly number[]; readonly count: number }) {
  const app = useApp()
  const state = useState()
  return (
    <SideRow
      route={{ view: 'narrow', narrow: ofDirect(otherIds) }}
      name={directName(state, otherIds)}
      calls={count}
    >
      {otherIds.length > 1 ? (
        <span class="faces" aria-hidden="true">
          {otherIds.slice(0, 2).map((id) => (
            <SideFace key={id} userId={id} />
          ))}
        </span>
      ) : (
        <SideFace userId={otherIds[0] ?? app.ownId} presence={shownPresence(app, otherIds[0] ?? app.ownId)} />
      )}
    </SideRow>
  )
}

interface SideFaceProps {
  readonly userId: number
  readonly presence?: 'active' | 'idle' | undefined
}

function SideFace({ userId, presence }: SideFaceProps) {
  const user = usersById(useState()).get(userId)
  return (
    <Face
      userId={userId}
      name={user?.full_name ?? ''}
      picture={user?.avatar_url}
      size="small"
      presence={presence}
    />
  )
}

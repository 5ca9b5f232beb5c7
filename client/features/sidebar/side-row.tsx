/** A row of the sidebar: a place, what is unread there, and its menu while the pointer or the focus is on it. */

import { useComputed, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useApp } from '../../app/app.ts'
import { isSame } from '../../store/narrows/is-same.ts'
import type { Route } from '../../store/narrows/route.ts'
import { Count } from '../../ui/count.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuItem } from '../../ui/open-menu.tsx'
import { t } from '../../texts/texts.ts'

interface SideRowProps {
  readonly route: Route
  readonly name: string
  /** Stands before the name. */
  readonly children?: ComponentChildren
  readonly count?: number
  /** Unread messages that concern the user. */
  readonly calls?: number
  /** The meaning of the count, if it is not one of unread messages. */
  readonly unit?: string | undefined
  readonly isMuted?: boolean
  /** Whether it is a row below another one. */
  readonly isInner?: boolean
  /** Whether a row below it is the current one. */
  readonly isOpen?: boolean
  /** Whether it leads to the rest of a list. */
  readonly isMore?: boolean
  readonly menu?: () => Promise<readonly MenuItem[]>
}

export function SideRow({ route, name, children, menu, ...state }: SideRowProps) {
  const { router } = useApp()
  const isCurrent = useComputed(() => isSame(router.route.value, route)).value
  const isOver = useSignal(false)
  const hasFocus = useSignal(false)
  return (
    <li
      class={placeClass(state, isCurrent)}
      {...(menu && {
        // A finger has no pointer that rests: it opens the place, whose head has the same menu.
        onPointerEnter: (event) => (isOver.value = event.pointerType === 'mouse'),
        onPointerLeave: () => (isOver.value = false),
        onFocusIn: () => (hasFocus.value = true),
        onFocusOut: ({ relatedTarget, currentTarget }) =>
          (hasFocus.value = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
      })}
    >
      <a
        class={rowClass(state)}
        href={router.hrefOf(route)}
        tabIndex={-1}
        aria-current={isCurrent ? 'page' : undefined}
      >
        {children}
        <span class="name" dir="auto">
          {name}
        </span>
        <RowCount {...state} />
      </a>
      {menu && (isOver.value || hasFocus.value) && (
        <Menu label={t('Menu of {name}', { name })} items={menu} isFloating>
          <Icon name="more" />
        </Menu>
      )}
    </li>
  )
}

type RowState = Pick<SideRowProps, 'count' | 'calls' | 'unit' | 'isMuted' | 'isInner' | 'isOpen' | 'isMore'>

function placeClass({ isInner, isOpen }: RowState, isCurrent: boolean): string {
  return ['side-place', isInner && 'side-inner', isOpen && 'open', isCurrent && 'here']
    .filter(Boolean)
    .join(' ')
}

/** Three voices: what concerns the user, what is new, and all else. */
function rowClass({ count = 0, calls = 0, unit, isMuted = false, isMore = false }: RowState): string {
  if (isMore) return 'row more'
  if (calls > 0) return 'row calls'
  if (isMuted) return 'row muted'
  return count > 0 && unit === undefined ? 'row unread' : 'row'
}

/** A muted place has no number, unless somebody asks for the user. */
export function RowCount({ count = 0, calls = 0, unit, isMuted = false }: RowState) {
  if (calls > 0) return <Count count={calls} isImportant />
  return isMuted ? null : <Count count={count} unit={unit} />
}

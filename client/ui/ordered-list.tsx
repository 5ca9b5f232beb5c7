/** A list that people put in order: by buttons, by Alt with an arrow, or by dragging. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { showError } from './toasts.tsx'
import { t } from '../texts/texts.ts'

interface OrderedItem {
  readonly id: number
  /** Names the buttons. */
  readonly name: string
  readonly content: ComponentChildren
}

interface OrderedListProps {
  readonly label: string
  readonly items: readonly OrderedItem[]
  /** Saves the ids in their new order. */
  readonly onOrder: (ids: readonly number[]) => Promise<unknown>
  readonly isFixed?: boolean
}

export function OrderedList({ label, items, onOrder, isFixed = false }: OrderedListProps) {
  const draggedId = useSignal<number | undefined>(undefined)
  const { shown, choose } = useSavedOrder(items, onOrder)
  const ids = shown.map(({ id }) => id)
  const move = (id: number, to: number) => {
    if (to < 0 || to >= ids.length || ids[to] === id) return
    const others = ids.filter((one) => one !== id)
    choose([...others.slice(0, to), id, ...others.slice(to)])
  }
  return (
    <ul aria-label={label}>
      {shown.map(({ id, name, content }, index) => (
        <li
          key={id}
          class={draggedId.value === id ? 'card dragged' : 'card'}
          draggable={!isFixed}
          onDragStart={() => (draggedId.value = id)}
          onDragEnd={() => (draggedId.value = undefined)}
          onDragOver={(event) => draggedId.value !== undefined && event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault()
            if (draggedId.value !== undefined) move(draggedId.value, index)
          }}
        >
          {content}
          {!isFixed && (
            <span class="order">
              <button
                class="ghost"
                aria-label={t('Move {name} up', { name })}
                disabled={index === 0}
                onClick={() => move(id, index - 1)}
              >
                <Icon name="up" />
              </button>
              <button
                class="ghost"
                aria-label={t('Move {name} down', { name })}
                disabled={index === shown.length - 1}
                onClick={() => move(id, index + 1)}
              >
                <Icon name="down" />
              </button>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

interface WantedOrder {
  readonly ids: readonly number[]
  /** The order of the items when it was saved, which an event is about to change. */
  readonly former?: string
}

/**
 * The items in the order that was chosen last. The reply may come before the event that changes their order: until then
 * the chosen one is shown, and the former one again if the server refuses.
 */
function useSavedOrder(items: readonly OrderedItem[], onOrder: OrderedListProps['onOrder']) {
  const wanted = useSignal<WantedOrder | undefined>(undefined)
  const present = items.map(({ id }) => id).join()
  const latest = useRef(present)
  latest.current = present
  const choose = (ids: readonly number[]) => {
    const chosen = { ids }
    wanted.value = chosen
    const end = (next?: WantedOrder) => {
      // Another order may have been chosen since.
      if (wanted.peek() === chosen) wanted.value = next
    }
    onOrder(ids).then(
      () => end(latest.current === ids.join() ? undefined : { ids, former: latest.current }),
      (error: unknown) => {
        end()
        showError(error)
      },
    )
  }
  const now = wanted.value
  const isOver = now?.former !== undefined && now.former !== present
  if (!now || isOver) return { shown: items, choose }
  const byId = new Map(items.map((item) => [item.id, item]))
  return { shown: now.ids.flatMap((id) => byId.get(id) ?? []), choose }
}

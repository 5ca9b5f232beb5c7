/** A list that people put in order: by buttons, by Alt with an arrow, or by dragging. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
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
  /** The order that is being saved. */
  const wanted = useSignal<readonly number[] | undefined>(undefined)
  const draggedId = useSignal<number | undefined>(undefined)
  const byId = new Map(items.map((item) => [item.id, item]))
  const shown = wanted.value?.flatMap((id) => byId.get(id) ?? []) ?? items
  const ids = shown.map(({ id }) => id)
  const move = (id: number, to: number) => {
    if (to < 0 || to >= ids.length || ids[to] === id) return
    const others = ids.filter((one) => one !== id)
    wanted.value = [...others.slice(0, to), id, ...others.slice(to)]
    void onOrder(wanted.value)
      .catch(showError)
      .then(() => (wanted.value = undefined))
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

/** A list of the sidebar: one stop of the Tab key, with the arrow keys between its rows. */

import { type ComponentChildren, toChildArray } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface SideListProps {
  readonly label?: string | undefined
  readonly children: ComponentChildren
}

export function SideList({ label, children }: SideListProps) {
  const list = useRef<HTMLUListElement>(null)
  const lastOpen = useRef<HTMLElement>(undefined)
  useLayoutEffect(() => {
    if (!list.current) return
    const open = rowsOf(list.current).find((row) => row.ariaCurrent === 'page')
    setStop(list.current, open === lastOpen.current ? undefined : open)
    lastOpen.current = open
  })
  // A folded section has no rows, unless the view is one of them.
  if (toChildArray(children).length === 0) return null
  return (
    <ul
      // Lists without marks are no lists for Safari, unless they say so.
      role="list"
      aria-label={label}
      ref={list}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
        if (moveFocus(event.currentTarget, event.key)) {
          event.preventDefault()
          event.stopPropagation()
        }
      }}
      onFocusIn={(event) => setStop(event.currentTarget)}
    >
      {children}
    </ul>
  )
}

const rowsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('.row')]

/** The row with the focus is the stop of the list, else one that was just opened, else the one before. */
function setStop(list: HTMLElement, opened?: HTMLElement): void {
  const rows = rowsOf(list)
  const stop =
    rows.find((row) => row === document.activeElement) ??
    opened ??
    rows.find((row) => row.tabIndex === 0) ??
    rows[0]
  for (const row of rows) row.tabIndex = row === stop ? 0 : -1
}

/** Returns whether the key belongs to the list. */
function moveFocus(list: HTMLElement, key: string): boolean {
  const rows = rowsOf(list)
  const index = rows.indexOf(document.activeElement as HTMLElement)
  if (index < 0) return false
  const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[key]
  if (to === undefined) return false
  rows[to]?.focus()
  return true
}

/** A list that is one stop of the Tab key: arrows move inside, to the side to the tools and the head of a row. */

import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

const ROWS = '[data-row]'

/** The row that had the focus last is the stop; at first it is the first one. Rows are drawn with a `tabIndex` of -1. */
export function useOneTabStop(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const rows = list.current
    if (!rows) return
    const follow = ({ target }: FocusEvent) => {
      if ((target as Element).matches(ROWS)) moveStop(rows, target as HTMLElement)
    }
    const move = (event: KeyboardEvent) => {
      const next = beside(event)
      if (!next) return
      event.preventDefault()
      next.focus()
    }
    rows.addEventListener('focusin', follow)
    rows.addEventListener('keydown', move)
    return () => {
      rows.removeEventListener('focusin', follow)
      rows.removeEventListener('keydown', move)
    }
  }, [])
  // The row of the stop may be gone: it was read, or is far from the screen.
  useEffect(() => {
    const rows = list.current
    if (rows && !rows.querySelector(`${ROWS}[tabindex="0"]`))
      moveStop(rows, rows.querySelector<HTMLElement>(ROWS))
  })
}

function moveStop(rows: HTMLElement, stop: HTMLElement | null): void {
  for (const one of rows.querySelectorAll<HTMLElement>(`${ROWS}[tabindex="0"]`)) one.tabIndex = -1
  if (stop) stop.tabIndex = 0
}

/** From a row to its tool, back to it, and on to the head of its group, which has a tool of its own. */
function beside({ key, target }: KeyboardEvent): HTMLElement | undefined {
  const element = target as HTMLElement
  const isForward = key === (getComputedStyle(element).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight')
  if (!isForward && !/^Arrow(?:Left|Right)$/.test(key)) return undefined
  const place = element.closest('.line-row, .rest, h2')
  const start = place?.querySelector<HTMLElement>(`${ROWS}, .fold`) ?? undefined
  if (isForward) return place?.querySelector<HTMLElement>('.read') ?? undefined
  return element.matches('.read') ? start : headBefore(place)
}

function headBefore(place: Element | null | undefined): HTMLElement | undefined {
  for (let one = place?.previousElementSibling; one; one = one.previousElementSibling)
    if (one.matches('h2')) return one.querySelector<HTMLElement>('.fold') ?? undefined
  return undefined
}

/** The place of a person in the shown view, as it is now. */

import type { Focus, Place } from './places.ts'
import type { ViewHandles } from './view-handles.ts'

export function placeIn({ main, list, composer }: ViewHandles): Place {
  const { activeElement } = document
  return {
    list: list?.place(),
    scrolled: main ? scrollersIn(main).map(({ scrollTop }) => scrollTop) : [],
    focus: main?.contains(activeElement)
      ? focusOn(activeElement, composer?.has(activeElement) ?? false)
      : undefined,
  }
}

function focusOn(element: Element | null, isInComposer: boolean): Focus | undefined {
  if (isInComposer) return { on: 'composer' }
  const href = element?.getAttribute('href')
  if (href) return { on: 'link', href }
  const id = element?.closest('[data-id]')?.id ?? element?.id ?? ''
  return id === '' ? undefined : { on: 'element', id }
}

/** The parts of a view that scroll; lists of messages have places of their own. */
export function scrollersIn(main: HTMLElement): HTMLElement[] {
  return [main, ...main.querySelectorAll<HTMLElement>('*')].filter(
    (one) =>
      one.getAttribute('role') !== 'log' &&
      one.scrollHeight > one.clientHeight &&
      /auto|scroll/.test(getComputedStyle(one).overflowY),
  )
}

/** After a change of the view the focus goes where the eye goes: to its composer, or else to its heading. */

import { useEffect, useRef } from 'preact/hooks'
import { useApp } from '../app/app.ts'
import { takeKeyboardMove } from './keyboard-move.ts'

export function useFocusOfView(): void {
  const app = useApp()
  const route = app.router.route.value
  const isFirst = useRef(true)
  useEffect(() => {
    app.reader.resume()
    const isByKeyboard = takeKeyboardMove()
    // After a click, a field or dialog that took the focus keeps it.
    const isTaken = !isByKeyboard && document.activeElement?.closest('.main, dialog, .search-field') != null
    if (!isFirst.current && !isTaken) focusHeading()
    isFirst.current = false
  }, [route])
}

/** The heading of the view; on a phone, of the places while they are shown instead of it. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('.main h1')
  if (!heading?.checkVisibility()) return document.querySelector<HTMLElement>('.side a')?.focus()
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

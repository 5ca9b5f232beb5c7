/**
 * After a change of the view the focus goes where the eye goes: to its composer, or else to its heading. A view that is
 * shown again by back or forward is scrolled as it was left, with the focus where it was.
 */

import { useEffect, useRef } from 'preact/hooks'
import { useApp } from '../app/app.ts'
import { scrollersIn } from '../app/place-in.ts'
import type { Focus, Place } from '../app/places.ts'
import type { ViewHandles } from '../app/view-handles.ts'
import { KeyboardMove } from './keyboard-move.ts'

/** The content of a view may come late: so many frames are waited for it. */
const FRAMES_MAX = 120

/** Restores a place as soon as the view has what is needed; a person who does something is not disturbed. */
function returnTo(handles: ViewHandles, place: Place): () => void {
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  for (const event of ['wheel', 'pointerdown', 'keydown', 'touchmove'])
    addEventListener(event, stop, { signal: stopped.signal, passive: true })
  let frames = 0
  const look = () => {
    if (stopped.signal.aborted || !handles.main) return
    const isScrolled = scrollAs(handles.main, place.scrolled)
    const isFocused = focusAs(handles, place.focus)
    if ((isScrolled && isFocused) || ++frames > FRAMES_MAX) stop()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  return stop
}

function scrollAs(main: HTMLElement, scrolled: Place['scrolled']): boolean {
  if (scrolled.every((top) => top === 0)) return true
  const parts = scrollersIn(main)
  scrolled.forEach((top, index) => parts[index]?.scrollTo({ top, behavior: 'instant' }))
  return scrolled.every((top, index) => Math.abs((parts[index]?.scrollTop ?? 0) - top) <= 1)
}

function focusAs({ main, composer }: ViewHandles, focus: Focus | undefined): boolean {
  if (!focus) return true
  if (focus.on === 'composer') composer?.focus()
  else {
    const attribute = focus.on === 'link' ? `[href="${CSS.escape(focus.href)}"]` : `#${CSS.escape(focus.id)}`
    const element = main?.querySelector<HTMLElement>(attribute)
    // Such as the field of an edit, which is in its message.
    if (element?.contains(document.activeElement)) return true
    element?.focus({ preventScroll: true })
  }
  const { activeElement } = document
  if (focus.on === 'composer') return composer?.has(activeElement) ?? false
  return focus.on === 'link'
    ? activeElement?.getAttribute('href') === focus.href
    : activeElement?.id === focus.id
}

export function useFocusOfView(): void {
  const app = useApp()
  const route = app.router.route.value
  const isFirst = useRef(true)
  useEffect(() => {
    app.reader.resume()
    const isByKeyboard = app.part(KeyboardMove).take()
    // After a click, a field or dialog that took the focus keeps it.
    const { activeElement: taken } = document
    const isTaken = app.handles.main?.contains(taken) || taken?.closest('dialog, [role="search"]') != null
    if (!isFirst.current && (isByKeyboard || !isTaken)) app.handles.focusHeading()
    if (app.router.places.returned) return returnTo(app.handles, app.router.places.returned)
    isFirst.current = false
  }, [route])
}

/** After a change of the view the focus goes where the eye goes: to its composer, or else to its heading. */

import { useEffect, useRef } from 'preact/hooks'
import { useApp } from '../app/app.ts'
import { KeyboardMove } from './keyboard-move.ts'

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
    isFirst.current = false
  }, [route])
}

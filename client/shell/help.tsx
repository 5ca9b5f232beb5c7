/** The keyboard of the page, and the help on it, on `?`. */

import { useEffect } from 'preact/hooks'
import { useApp } from '../app/app.ts'
import { isTyping } from '../ui/is-typing.ts'
import { followKeys } from './press-keys.ts'
import { lazy } from '../ui/lazy.tsx'
import { helpIsOpen } from '../app/help-shown.ts'

const Shortcuts = lazy(async () => (await import('./shortcuts.tsx')).Shortcuts)

export function Help() {
  const app = useApp()
  useEffect(() => {
    const stop = new AbortController()
    const open = (event: KeyboardEvent) => {
      if (event.key === '?' && !isTyping(event)) helpIsOpen.value = true
    }
    addEventListener('keydown', open, { signal: stop.signal })
    followKeys(app, stop.signal)
    return () => stop.abort()
  }, [app])
  return helpIsOpen.value ? <Shortcuts onClose={() => (helpIsOpen.value = false)} /> : null
}

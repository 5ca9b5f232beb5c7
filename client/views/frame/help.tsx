/** The keyboard of the page, and the help on it, on `?`. */

import { useEffect } from 'preact/hooks'
import { useApp } from '../../shell/app.ts'
import { isTyping } from '../../shell/is-typing.ts'
import { followKeys } from '../../shell/press-keys.ts'
import { lazy } from '../parts/lazy.tsx'
import { helpIsOpen } from './help-shown.ts'

const Shortcuts = lazy(async () => (await import('../rare.ts')).Shortcuts)

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

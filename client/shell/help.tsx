/** The help on the keyboard, while it is open. */

import { useApp } from '../app/app.ts'
import { lazy } from '../ui/lazy.tsx'

const Shortcuts = lazy(async () => (await import('./shortcuts.tsx')).Shortcuts)

export function Help() {
  const { help } = useApp().dialogs
  return help.value ? <Shortcuts onClose={() => (help.value = false)} /> : null
}

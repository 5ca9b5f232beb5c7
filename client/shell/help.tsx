/** The help on the keyboard and the palette, while they are open. */

import { useApp } from '../app/app.ts'
import { lazy } from '../ui/lazy.tsx'

const Shortcuts = lazy(async () => (await import('./shortcuts.tsx')).Shortcuts)

const Palette = lazy(async () => (await import('./palette.tsx')).Palette, { isQuiet: true })

export function Help() {
  const { help, palette } = useApp().dialogs
  return (
    <>
      {help.value && <Shortcuts onClose={() => (help.value = false)} />}
      {palette.value && <Palette onClose={() => (palette.value = false)} />}
    </>
  )
}

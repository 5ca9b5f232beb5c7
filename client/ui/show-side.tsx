/** At the start of a head while the sidebar is hidden: the way to show it, with a dot while somebody asks for the user. */

import { useApp } from '../app/app.ts'
import { callsOf } from '../store/derived/calls.ts'
import { Icon } from './icon.tsx'
import { toggleSide } from './toggle-side.ts'
import { t } from '../texts/texts.ts'

export function ShowSide() {
  const app = useApp()
  if (!app.device.sideIsHidden.value) return null
  return (
    <button
      class="ghost only-wide show-side"
      aria-label={t('Show sidebar')}
      title={t('Show sidebar (Ctrl+\\)')}
      onClick={() => toggleSide(app)}
    >
      <Icon name="side" />
      {callsOf(app.state.value).total > 0 && <i class="dot" />}
    </button>
  )
}

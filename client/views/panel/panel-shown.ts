/** Whether the panel beside conversations is open on this device. */

import { deviceSetting, readBoolean } from '../../shell/device-setting.ts'
import type { Route } from '../../store/narrows/route.ts'

export const panelIsOpen = deviceSetting('panel-open', { start: false, read: readBoolean })

const phone = matchMedia('(max-width: 640px)')

/** A phone shows the panel instead of the conversation. */
export const isPhone = () => phone.matches

/** Calls back when the window gets the width of a phone, or loses it; returns the way to stop that. */
export function onPhoneChange(run: () => void): () => void {
  phone.addEventListener('change', run)
  return () => phone.removeEventListener('change', run)
}

/** Whether a view has a panel: channels, topics and conversations with people do. */
export function hasPanel(route: Route): boolean {
  if (route.view !== 'narrow') return false
  const [first] = route.narrow
  return (first?.operator === 'channel' && typeof first.operand === 'number') || first?.operator === 'dm'
}

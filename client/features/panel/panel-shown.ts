/** Whether the panel beside conversations is open on this device. */

import { deviceSetting, readBoolean } from '../../app/device-setting.ts'
import type { Route } from '../../store/narrows/route.ts'

export const panelIsOpen = deviceSetting('panel-open', { start: false, read: readBoolean })

export const PHONE = '(max-width: 640px)'

/** A phone shows the panel instead of the conversation. */
export const isPhone = () => matchMedia(PHONE).matches

/** Whether a view has a panel: channels, topics and conversations with people do. */
export function hasPanel(route: Route): boolean {
  if (route.view !== 'narrow') return false
  const [first] = route.narrow
  return (first?.operator === 'channel' && typeof first.operand === 'number') || first?.operator === 'dm'
}

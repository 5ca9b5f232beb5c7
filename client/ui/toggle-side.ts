/** Hides the sidebar on this device, or shows it again. */

import type { App } from '../app/app.ts'

export function toggleSide({ device, handles }: App): void {
  device.sideIsHidden.value = !device.sideIsHidden.value
  const { side } = handles
  if (!device.sideIsHidden.value || !side) return
  if (side.contains(document.activeElement)) handles.focusHeading()
  // The pointer that pressed its button is still over it, and would show it at once.
  side.dataset.hides = ''
  addEventListener('pointermove', () => delete side.dataset.hides, { once: true })
}

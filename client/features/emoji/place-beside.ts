/** Places a dialog beside the control that opened it, inside the window. */

const GAP_PX = 6
/** Below this width of the window, the styles place it at the lower edge. */
const PHONE_PX = 640

export function placeBeside(dialog: HTMLElement, anchor: HTMLElement | null): void {
  if (!anchor || innerWidth <= PHONE_PX) return
  const { width, height } = dialog.getBoundingClientRect()
  const { top, bottom, left, right } = anchor.getBoundingClientRect()
  const above = top - GAP_PX - height
  const y = above >= GAP_PX ? above : Math.min(bottom + GAP_PX, innerHeight - height - GAP_PX)
  const fits = left + width + GAP_PX <= innerWidth
  const x = fits ? left : Math.max(GAP_PX, right - width)
  dialog.style.margin = '0'
  dialog.style.inset = `${Math.max(GAP_PX, y)}px auto auto ${x}px`
}

/** The edge of the sidebar, which people drag; a double click gives back the first width. */

import { useApp } from '../../app/app.ts'
import { SIDE_PX } from '../../app/device-settings.ts'
import { t } from '../../texts/texts.ts'

/** Pixels for one press of an arrow key. */
const STEP_PX = 8

export function Resizer() {
  const { sideWidth } = useApp().device
  const resize = (px: number) =>
    (sideWidth.value = Math.round(Math.min(SIDE_PX.max, Math.max(SIDE_PX.min, px))))
  return (
    <div
      class="resizer only-wide"
      role="separator"
      aria-orientation="vertical"
      aria-label={t('Width of the sidebar')}
      aria-valuemin={SIDE_PX.min}
      aria-valuemax={SIDE_PX.max}
      aria-valuenow={sideWidth.value}
      tabIndex={0}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.preventDefault() // No text is selected meanwhile.
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={({ currentTarget, pointerId, clientX }) => {
        const side = currentTarget.parentElement
        if (!side || !currentTarget.hasPointerCapture(pointerId)) return
        const { left, right } = side.getBoundingClientRect()
        resize(isRightToLeft(side) ? right - clientX : clientX - left)
      }}
      onDblClick={() => resize(SIDE_PX.start)}
      onKeyDown={(event) => {
        const forward = isRightToLeft(event.currentTarget) ? -STEP_PX : STEP_PX
        const step = { ArrowRight: forward, ArrowLeft: -forward }[event.key]
        if (step === undefined) return
        event.preventDefault()
        event.stopPropagation()
        resize(sideWidth.value + step)
      }}
    />
  )
}

function isRightToLeft(element: Element): boolean {
  return getComputedStyle(element).direction === 'rtl'
}

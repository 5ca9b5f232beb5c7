/** Notes on the page whether keyboard or pointer was used last: only the keyboard needs to see where the focus is. */

import { isField } from '../ui/is-typing.ts'

export function followInput(signal: AbortSignal): void {
  const { dataset } = document.documentElement
  const options = { signal, capture: true, passive: true }
  addEventListener('pointerdown', () => (dataset.by = 'pointer'), options)
  const note = ({ key, target }: KeyboardEvent) => {
    // A word that is written does not say how its field was reached.
    if (key === 'Tab' || key === 'Escape' || !isField(target as Element)) dataset.by = 'keyboard'
  }
  addEventListener('keydown', note, options)
}

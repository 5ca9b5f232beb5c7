/** Calls a function when what has been drawn by now is on the screen. */
export function afterPaint(act: () => void): void {
  // The second frame begins after the first is painted; its own painting comes before the timer.
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(act)))
}

/** Long lists: only the rows near the screen are in the page. */

import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { afterPaint } from '../app/after-paint.ts'

/**
 * Pixels that are drawn above and below the screen: the keyboard and the wheel find the next row. They come once the rows of
 * the screen are painted, so that a list opens with a shorter task.
 */
const OVER = 200
/** Rows are drawn again after so many pixels. */
const STEP = 100

export interface RowWindow {
  /** The element that is as high as all rows, within the one that scrolls (`data-rows`). */
  readonly list: RefObject<HTMLDivElement | null>
  /** The first row to draw, and the one after the last. */
  readonly first: number
  readonly end: number
  /** Pixels before the first row, and of all rows. */
  readonly before: number
  readonly total: number
}

/** The window on rows of these heights, in pixels for text of the default size. */
export function useRowWindow(heights: readonly number[]): RowWindow {
  const list = useRef<HTMLDivElement>(null)
  const step = useSignal(0)
  const over = useSignal(0)
  const height = useSignal(innerHeight)
  const scale = useMemo(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16, [])
  useLayoutEffect(() => {
    const scroller = list.current?.closest('[data-rows]')
    if (!scroller) return
    const follow = () =>
      (step.value = Math.max(0, Math.floor((scroller.scrollTop - (list.current?.offsetTop ?? 0)) / STEP)))
    const sizes = new ResizeObserver(() => (height.value = scroller.clientHeight))
    scroller.addEventListener('scroll', follow, { passive: true })
    // It begins at the top: to ask for it now would lay out the page once more.
    sizes.observe(scroller)
    afterPaint(() => (over.value = OVER))
    return () => {
      scroller.removeEventListener('scroll', follow)
      sizes.disconnect()
    }
  }, [])
  const ends = useMemo(() => {
    let end = 0
    return heights.map((one) => (end += one * scale))
  }, [heights, scale])
  const top = step.value * STEP - over.value
  const bottom = step.value * STEP + height.value + STEP + over.value
  const first = indexAfter(ends, top)
  return {
    list,
    first,
    end: Math.min(heights.length, indexAfter(ends, bottom) + 1),
    before: ends[first - 1] ?? 0,
    total: ends.at(-1) ?? 0,
  }
}

/** The first row that ends below a line. */
function indexAfter(ends: readonly number[], line: number): number {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle] as number) > line) high = middle
    else low = middle + 1
  }
  return low
}

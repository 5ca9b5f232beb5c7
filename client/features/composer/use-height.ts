/** Tells the styles how high the composer is, for notes that stand above it. */

import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

const PROPERTY = '--composer-height'

export function useHeight(form: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (!form.current) return
    const root = document.documentElement.style
    const watcher = new ResizeObserver(([entry]) => {
      const [size] = entry?.borderBoxSize ?? []
      if (size) root.setProperty(PROPERTY, `${size.blockSize}px`)
    })
    watcher.observe(form.current)
    return () => {
      watcher.disconnect()
      root.removeProperty(PROPERTY)
    }
  }, [])
}

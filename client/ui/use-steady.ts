/** Functions for parts that are drawn again only when a property has changed. */

import { useCallback, useRef } from 'preact/hooks'

/** The same function in each drawing; it does what that of the last drawing does. */
export function useSteady<Args extends readonly unknown[]>(
  act: (...args: Args) => void,
): (...args: Args) => void {
  const newest = useRef(act)
  newest.current = act
  return useCallback((...args: Args) => newest.current(...args), [])
}

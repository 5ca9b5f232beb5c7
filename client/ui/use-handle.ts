/** Offers a part of a view to the rest of the page as long as it is drawn. */

import { useLayoutEffect } from 'preact/hooks'
import { useApp } from '../app/app.ts'
import type { ViewHandles } from '../app/view-handles.ts'

type Name = 'composer' | 'search' | 'days' | 'list'

export function useHandle<One extends Name>(name: One, make: () => ViewHandles[One]): void {
  const { handles } = useApp()
  useLayoutEffect(() => {
    const handle = make()
    handles[name] = handle
    return () => {
      // The next view may have been drawn first.
      if (handles[name] === handle) delete handles[name]
    }
  }, [])
}

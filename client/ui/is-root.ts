import type { Route } from '../store/narrows/route.ts'

/** Whether the tabs of a phone lead to a view: it has no way back. */
export function isRoot(route: Route): boolean {
  if (route.view === 'settings') return route.path.length === 0
  return route.view === 'inbox' || route.view === 'places'
}

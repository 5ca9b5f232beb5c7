/** Whether two routes show the same view, at whatever message. */

import { keyOf, splitNear } from './narrow.ts'
import type { Route } from './route.ts'

export function isSame(one: Route, other: Route): boolean {
  if (one.view !== 'narrow' || other.view !== 'narrow') return one.view === other.view
  return keyOf(splitNear(one.narrow).narrow) === keyOf(splitNear(other.narrow).narrow)
}

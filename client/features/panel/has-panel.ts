import type { Route } from '../../store/narrows/route.ts'

/** Whether a view has a panel: channels, topics and conversations with people do. */
export function hasPanel(route: Route): boolean {
  if (route.view !== 'narrow') return false
  const [first] = route.narrow
  return (first?.operator === 'channel' && typeof first.operand === 'number') || first?.operator === 'dm'
}

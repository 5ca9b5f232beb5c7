/** The views that users keep in the navigation of their clients. */

/** A view: a part of a client's address. */
export interface NavigationView {
  /** Unique for its user. */
  readonly fragment: string
  /** Whether it is shown at the top, or else hidden in a menu. */
  readonly isPinned: boolean
  /** Null for those that every client has, and names itself. */
  readonly name: string | null
}

/** What may change about a view. */
export type NavigationViewChange = Partial<Pick<NavigationView, 'isPinned' | 'name'>>

/** Views that every client has. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
])

/** Whether every client has a view, and a name for it. */
export function isBuiltIn(fragment: string): boolean {
  return BUILT_IN.has(fragment)
}

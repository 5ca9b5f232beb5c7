/** Views that users keep in their clients' navigation. */

/** A view: a part of a client's address. */
export interface NavigationView {
  /** Unique per user. */
  readonly fragment: string
  /** Whether it is shown at the top; otherwise it is in a menu. */
  readonly isPinned: boolean
  /** Null for built-in views, which clients name themselves. */
  readonly name: string | null
}

/** The fields of a view that may change. */
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

/** Whether a view is built into every client, with its name. */
export function isBuiltIn(fragment: string): boolean {
  return BUILT_IN.has(fragment)
}

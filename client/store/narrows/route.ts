/** Routes: the view that an address shows. */

import { decodeSegment, encodeSegment } from './fragment-text.ts'
import type { Narrow } from './narrow.ts'
import { type AddressNames, readNarrow, writeNarrow } from './narrow-address.ts'

/** Views that have no parts. */
const PLAIN = ['inbox', 'recent', 'drafts', 'scheduled', 'reminders', 'new-direct', 'places'] as const
/** The address of all messages, which are a narrow without terms. */
const FEED = 'feed'
/** Views with parts, such as `settings/profile`. */
const WITH_PATH = ['settings', 'organization', 'channels', 'groups', 'user', 'topics'] as const

/** The view of an address. */
export type Route =
  | { readonly view: (typeof PLAIN)[number] }
  | { readonly view: (typeof WITH_PATH)[number]; readonly path: readonly string[] }
  | { readonly view: 'narrow'; readonly narrow: Narrow }

/** Reads the part of an address after `#`, with or without it; undefined if no view has that address. */
export function readRoute(fragment: string): Route | undefined {
  const text = fragment.startsWith('#') ? fragment.slice(1) : fragment
  const [head = '', ...segments] = text.split('/')
  if (head === 'narrow') {
    const narrow = readNarrow(segments)
    return narrow && { view: 'narrow', narrow }
  }
  const withPath = WITH_PATH.find((name) => name === head)
  if (withPath) {
    const path = segments.map(decodeSegment)
    return path.includes(undefined) ? undefined : { view: withPath, path: path as string[] }
  }
  if (head === FEED) return segments.length === 0 ? { view: 'narrow', narrow: [] } : undefined
  const plain = PLAIN.find((name) => name === head)
  return plain && segments.length === 0 ? { view: plain } : undefined
}

/** The address of a route, with `#`. */
export function writeRoute(route: Route, names: AddressNames): string {
  if (route.view === 'narrow')
    return `#${route.narrow.length === 0 ? FEED : writeNarrow(route.narrow, names)}`
  return `#${[route.view, ...('path' in route ? route.path.map(encodeSegment) : [])].join('/')}`
}

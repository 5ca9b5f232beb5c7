/** Finds the links of an organization's linkifiers. */

import { compileLinkifiers, LINK_GROUP } from './compile-linkifier.ts'
import type { FoundLink } from './found-text.ts'
import { isAllowedUrl } from './link-urls.ts'
import type { Linkifier } from './snapshot.ts'

/** Links of one linkifier in one text: after each, a pattern may scan the whole rest again. */
const MATCHES_MAX = 500

/** The organization's patterns exceeded their time. */
export class OverdueError extends Error {
  override readonly name = 'OverdueError'
}

/** Limits of a search. */
interface Limits {
  /** Links of one linkifier. */
  readonly matchesMax?: number
  /** On the clock of `performance`; past it the search throws an `OverdueError`. */
  readonly deadlineMs?: number
}

/** The links of a text, in order; of two overlapping links, the earlier linkifier's one. */
export function findLinkifierMatches(
  text: string,
  linkifiers: readonly Linkifier[],
  { matchesMax = MATCHES_MAX, deadlineMs = Number.POSITIVE_INFINITY }: Limits = {},
): FoundLink[] {
  const found: FoundLink[] = []
  for (const compiled of compileLinkifiers(linkifiers)) {
    if (!text.includes(compiled.literal)) continue
    if (performance.now() > deadlineMs) throw new OverdueError('the linkifiers take too long')
    const taken = found.length
    const matcher = compiled.pattern.matcher(text)
    let from = 0
    for (let count = 0; count < matchesMax && from <= text.length && matcher.find(from); count++) {
      if (performance.now() > deadlineMs) throw new OverdueError('the linkifiers take too long')
      const start = matcher.start(LINK_GROUP)
      const end = matcher.end(LINK_GROUP)
      // The character after one link may be the one before the next.
      from = end > from ? end : from + 1
      if (end === start || overlaps(found, taken, start, end)) continue
      const groups = matcher.getNamedGroups()
      const url = compiled.expand(definedOnly(groups))
      if (isAllowedUrl(url)) found.push({ start, end, url })
    }
    found.sort((one, other) => one.start - other.start)
  }
  return found
}

/** Whether a range overlaps one of the first `count` ranges, which are sorted. */
function overlaps(found: readonly FoundLink[], count: number, start: number, end: number): boolean {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if ((found[middle] as FoundLink).end <= start) low = middle + 1
    else high = middle
  }
  return low < count && (found[low] as FoundLink).start < end
}

function definedOnly(groups: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  const defined: Record<string, string> = {}
  for (const [name, value] of Object.entries(groups)) if (name !== LINK_GROUP) defined[name] = value ?? ''
  return defined
}

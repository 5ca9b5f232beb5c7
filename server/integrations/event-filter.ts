/** The filters of an address: names of events, where a star stands for any text. */

export interface EventFilters {
  readonly only_events: readonly string[] | undefined
  readonly exclude_events: readonly string[] | undefined
}

/** Whether an event passes; integrations without events have none to filter. */
export function isWanted(
  event: string,
  { only_events: only, exclude_events: excluded }: EventFilters,
): boolean {
  if (event === '') return true
  if (only && !only.some((pattern) => matches(event, pattern))) return false
  return !excluded?.some((pattern) => matches(event, pattern))
}

/** Whether a pattern covers a whole text; `?` stands for one character. Takes the time of their lengths multiplied. */
function matches(text: string, pattern: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0]
  while (at < text.length) {
    if (pattern[from] === '*') [star, mark] = [from++, at]
    else if (pattern[from] === '?' || pattern[from] === text[at]) [at, from] = [at + 1, from + 1]
    else if (star < 0) return false
    else [from, at] = [star + 1, ++mark]
  }
  while (pattern[from] === '*') from++
  return from === pattern.length
}

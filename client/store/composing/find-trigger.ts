/** Finds the word before the cursor that can be completed. */

/** The kinds of completion, by the sign that begins them. */
export type Trigger =
  | { readonly kind: 'people'; readonly query: string; readonly start: number; readonly isSilent: boolean }
  | { readonly kind: 'channel'; readonly query: string; readonly start: number }
  | {
      readonly kind: 'topic'
      readonly channel: string
      readonly query: string
      readonly start: number
    }
  | { readonly kind: 'emoji'; readonly query: string; readonly start: number }
  | { readonly kind: 'command'; readonly query: string; readonly start: number }

/** Longer words complete nothing. */
const QUERY_LENGTH_MAX = 60
/** The server reads these signs only after a space or one of these. */
const BEFORE = new Set([' ', '\n', '\t', '\u00a0', '`', "'", '"', '(', '{', '[', '/', '<'])

/** The trigger that ends at the cursor. */
export function findTrigger(text: string, cursor: number): Trigger | undefined {
  const earliest = Math.max(0, cursor - QUERY_LENGTH_MAX)
  for (let at = cursor - 1; at >= earliest; at--) {
    const sign = text[at] as string
    if (sign === '\n') return undefined
    if (!'@#:/'.includes(sign)) continue
    const found = readTrigger(text, at, cursor)
    if (found) return found
  }
  return undefined
}

function readTrigger(text: string, start: number, cursor: number): Trigger | undefined {
  const sign = text[start]
  const query = text.slice(start + 1, cursor)
  if (sign === '/')
    return start === 0 && /^[a-z]*$/.test(query) ? { kind: 'command', query, start } : undefined
  if (start > 0 && !BEFORE.has(text[start - 1] as string)) return undefined
  if (sign === ':')
    return /^[\p{L}\p{N}_+-][\p{L}\p{N}_+-]+$/u.test(query) ? { kind: 'emoji', query, start } : undefined
  if (query.startsWith(' ')) return undefined
  if (sign === '@') {
    const isSilent = query.startsWith('_')
    const name = isSilent ? query.slice(1) : query
    // A finished mention is followed by its stars.
    return name.includes('*') ? undefined : { kind: 'people', query: name, start, isSilent }
  }
  return readChannel(query, start)
}

/** `#channel`, `#channel>topic`, and `#**channel>topic` after a channel was chosen. */
function readChannel(query: string, start: number): Trigger | undefined {
  const written = query.startsWith('**') ? query.slice(2) : query
  if (written.includes('*')) return undefined
  const arrow = written.indexOf('>')
  if (arrow < 0) return written === query ? { kind: 'channel', query, start } : undefined
  return { kind: 'topic', channel: written.slice(0, arrow), query: written.slice(arrow + 1), start }
}

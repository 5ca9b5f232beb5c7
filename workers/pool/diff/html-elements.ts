/** Which elements may stand in which: a reader of HTML moves about what stands elsewhere. */

/** Elements that hold words only by way of others, with what they hold. */
const HOLDS: Readonly<Record<string, readonly string[]>> = {
  ul: ['li'],
  ol: ['li'],
  table: ['thead', 'tbody', 'tfoot'],
  thead: ['tr'],
  tbody: ['tr'],
  tfoot: ['tr'],
  tr: ['td', 'th'],
}
const PARTS = new Set(Object.values(HOLDS).flat())
const BLOCKS = new Set('p div blockquote pre hr ul ol table h1 h2 h3 h4 h5 h6'.split(' '))
/** What blocks stand in. */
const FLOW = new Set(['div', 'blockquote', 'li', 'td', 'th'])

/** Whether an element is a block, or a part of one such as a row. */
export function isBlock(name: string): boolean {
  return BLOCKS.has(name) || PARTS.has(name)
}

/** Whether words may stand in an element. */
export function holdsWords(name: string): boolean {
  return !Object.hasOwn(HOLDS, name)
}

/** Whether an element may stand in another. */
export function mayHold(parent: string, child: string): boolean {
  if (PARTS.has(child)) return Object.hasOwn(HOLDS, parent) && (HOLDS[parent]?.includes(child) ?? false)
  return BLOCKS.has(child) ? FLOW.has(parent) : holdsWords(parent)
}

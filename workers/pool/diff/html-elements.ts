/** Nesting rules of the reference's HTML parser, for the elements that messages contain. */

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const PARTS = ['thead', 'tbody', 'tr', 'th', 'td']
const BLOCKS = new Set([
  'p',
  'div',
  'blockquote',
  'pre',
  'hr',
  'ul',
  'ol',
  'li',
  'table',
  ...HEADINGS,
  ...PARTS,
])

/** Elements that end when another starts in them, as observed. */
const ENDED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    p: ['p', ...HEADINGS],
    div: ['p'],
    blockquote: ['p'],
    pre: ['p', 'ul'],
    ul: ['p', 'pre'],
    ol: ['p'],
    li: ['p', 'pre', 'li', ...HEADINGS],
    hr: ['p'],
    table: ['p', 'pre', 'a', ...HEADINGS],
    tbody: ['p', ...PARTS],
    tr: ['p', 'tr', 'th', 'td'],
    th: ['p', 'th', 'td', 'a', 'span'],
    td: ['p', 'th', 'td', 'a', 'span'],
    a: ['a'],
    ...Object.fromEntries(HEADINGS.map((name) => [name, ['p']])),
  }).map(([name, ended]) => [name, new Set(ended)]),
)

/** An end tag does not end elements of a higher rank on its way to its own; 0 for inline elements and most blocks. */
const RANKS: Readonly<Record<string, number>> = {
  div: 1,
  td: 2,
  th: 2,
  tr: 3,
  thead: 4,
  tbody: 4,
  table: 5,
}

/** Whether an element is a block, or a part of one such as a row. */
export function isBlock(name: string): boolean {
  return BLOCKS.has(name)
}

/** Whether the start of an element `name` ends the open element `open`. */
export function endsAtStart(open: string, name: string): boolean {
  return ENDED_BY.get(name)?.has(open) ?? false
}

/** The reach of an end tag: see {@link RANKS}. */
export function rankOf(name: string): number {
  return Object.hasOwn(RANKS, name) ? (RANKS[name] as number) : 0
}

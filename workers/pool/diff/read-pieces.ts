/** Parses the renderer's HTML into a flat, well-nested list of pieces. */

/** A tag, or text between tags, with the `space` after it. */
export type Piece =
  | { readonly kind: 'open'; readonly name: string; readonly html: string; readonly space: '' }
  | { readonly kind: 'close'; readonly name: string; readonly html: string; space: string }
  /** An element without content, such as a line break. */
  | { readonly kind: 'void'; readonly name: string; readonly html: string; space: string }
  /** An element that is compared as a whole, like a word: `key` is its value for comparison. */
  | { readonly kind: 'atom'; readonly key: string; readonly html: string; space: string }
  /** Comes before the end of a link. */
  | { readonly kind: 'href'; readonly html: string }
  | { readonly kind: 'text'; readonly html: string }

const SPACE = /[\s\x85]+/y
const WHITE = /^[ \t\n\r]/
const SPECIAL = /[&<>]/
const SIMPLE_TAG = /<(\/?)([a-z][a-z0-9]*)>/y
const NAME = /[a-z][a-z0-9-]*/iy
/** Deeper elements are reduced to their text; the renderer nests less. */
const DEPTH_MAX = 250

const VOID = new Set(['br', 'hr', 'img', 'wbr', 'input', 'col', 'area', 'base', 'link', 'meta', 'source'])
/** The diff's own marks look like these, so it ignores those of the versions. */
const MARKS = new Set(['ins', 'del'])

interface Tag {
  readonly name: string
  readonly isEnd: boolean
  readonly isSelfClosed: boolean
  readonly html: string
  readonly end: number
}

/** The pieces of some HTML. Anything but a tag is text. Drops unmatched end tags, and adds missing ones. */
export function readPieces(html: string): Piece[] {
  const pieces: Piece[] = []
  const open: { readonly name: string; readonly href: string | undefined }[] = []
  let text = ''

  /** White space before the first word belongs to the tag before it, as one space; after a start tag it is dropped. */
  const endText = () => {
    if (text === '') return
    const last = pieces.at(-1)
    if (WHITE.test(text) && last && 'space' in last && last.kind !== 'open') last.space = ' '
    const words = text.slice(spaceLength(text))
    if (words !== '') pieces.push({ kind: 'text', html: words })
    text = ''
  }
  const close = () => {
    const { name, href } = open.pop() as (typeof open)[number]
    if (href !== undefined) pieces.push({ kind: 'href', html: href })
    pieces.push({ kind: 'close', name, html: `</${name}>`, space: '' })
  }

  for (let at = 0; at < html.length; ) {
    const tag = html[at] === '<' ? readTag(html, at) : undefined
    if (!tag) {
      const next = html.indexOf('<', at + 1)
      const end = next < 0 ? html.length : next
      text += normalize(html.slice(at, end))
      at = end
      continue
    }
    at = tag.end
    if (MARKS.has(tag.name)) continue
    endText()
    if (tag.isEnd) {
      const index = open.findLastIndex(({ name }) => name === tag.name)
      if (index >= 0) while (open.length > index) close()
      continue
    }
    const atom = readAtom(html, tag)
    if (atom) {
      pieces.push({ kind: 'atom', ...atom, space: '' })
      at = tag.end + atom.html.length - tag.html.length
    } else if (VOID.has(tag.name) || tag.isSelfClosed) {
      pieces.push({ kind: 'void', name: tag.name, html: tag.html, space: '' })
    } else if (open.length < DEPTH_MAX) {
      const href = tag.name === 'a' ? attribute(tag.html, 'href') : undefined
      open.push({ name: tag.name, href: href === '' ? undefined : href })
      pieces.push({ kind: 'open', name: tag.name, html: tag.html, space: '' })
    }
  }
  endText()
  while (open.length > 0) close()
  return pieces
}

function spaceLength(text: string): number {
  SPACE.lastIndex = 0
  return SPACE.test(text) ? SPACE.lastIndex : 0
}

/** The tag that begins at a `<`, if it is one. A `>` within quotes does not end it. */
function readTag(html: string, start: number): Tag | undefined {
  SIMPLE_TAG.lastIndex = start
  const simple = SIMPLE_TAG.exec(html)
  if (simple) {
    const [tag, slash, name = ''] = simple
    return { name, isEnd: slash === '/', isSelfClosed: false, html: tag, end: start + tag.length }
  }
  const isEnd = html[start + 1] === '/'
  NAME.lastIndex = start + (isEnd ? 2 : 1)
  const name = NAME.exec(html)?.[0]
  if (name === undefined) return undefined
  let at = NAME.lastIndex
  for (;;) {
    const end = html.indexOf('>', at)
    if (end < 0) return undefined
    const quote = firstQuote(html, at, end)
    if (quote < 0) {
      const tag = html.slice(start, end + 1)
      return { name: name.toLowerCase(), isEnd, isSelfClosed: tag.endsWith('/>'), html: tag, end: end + 1 }
    }
    const closing = html.indexOf(html[quote] as string, quote + 1)
    if (closing < 0) return undefined
    at = closing + 1
  }
}

function firstQuote(html: string, from: number, until: number): number {
  for (let at = from; at < until; at++) if (html[at] === '"' || html[at] === "'") return at
  return -1
}

/**
 * A picture is compared by its address, like in other implementations; a formula as a whole, since its parts mean
 * nothing.
 */
function readAtom(html: string, tag: Tag): { key: string; html: string } | undefined {
  if (tag.name === 'img') return { key: `img: ${attribute(tag.html, 'src') ?? ''}`, html: tag.html }
  const isFormula = tag.name === 'span' && /^katex(?:-display)?$/.test(attribute(tag.html, 'class') ?? '')
  if ((!isFormula && tag.name !== 'svg' && tag.name !== 'math') || tag.isSelfClosed) return undefined
  let depth = 1
  for (let at = html.indexOf('<', tag.end); at >= 0; at = html.indexOf('<', at)) {
    const inner = readTag(html, at)
    at = inner?.end ?? at + 1
    if (inner?.name !== tag.name || inner.isSelfClosed) continue
    depth += inner.isEnd ? -1 : 1
    if (depth > 0) continue
    const whole = html.slice(tag.end - tag.html.length, inner.end)
    return { key: whole, html: whole }
  }
  return undefined
}

/** The value of an attribute as HTML text. */
function attribute(tag: string, name: string): string | undefined {
  const start = tag.indexOf(` ${name}="`)
  if (start < 0) return undefined
  const from = start + name.length + 3
  return normalize(tag.slice(from, tag.indexOf('"', from)))
}

/** Normalizes the spelling of text: only characters that need it are escaped. */
function normalize(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&nbsp;', '\u00a0')
    .replace(/&(?!(?:[a-z][a-z0-9]*|#[0-9]+|#x[0-9a-f]+);)/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** Checks HTML against the dialect: well nested, with only allowed elements, attributes and schemes. */

import { html as spec, parseFragment, serialize } from 'parse5'

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  a: ['class', 'data-stream-id', 'href', 'title'],
  audio: ['controls', 'preload', 'src', 'title'],
  blockquote: [],
  br: [],
  code: [],
  del: [],
  div: ['aria-hidden', 'class', 'data-code-language'],
  em: [],
  ...Object.fromEntries(
    [
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'hr',
      'li',
      'p',
      'pre',
      'strong',
      'table',
      'tbody',
      'thead',
      'tr',
      'ul',
    ].map((name) => [name, []]),
  ),
  img: [
    'alt',
    'class',
    'data-animated',
    'data-original-content-type',
    'data-original-dimensions',
    'data-original-src',
    'data-transcoded-image',
    'src',
    'title',
  ],
  ol: ['start'],
  span: [
    'aria-hidden',
    'aria-label',
    'class',
    'data-user-group-id',
    'data-user-id',
    'role',
    'style',
    'title',
  ],
  td: ['style'],
  th: ['style'],
  time: ['datetime'],
  video: ['preload', 'src'],
}
/** Formulas: their elements are KaTeX's own, and may contain neither links nor scripts. */
const NEVER_IN_FORMULAS = /^(?:on|href$|src$|action$|xlink|data-|id$)/
const URL = /^(?:https?:|ftp:|mailto:|news:|tel:|sms:|xmpp:|bitcoin:|\/(?!\/)|#)/i
const STYLE = /^(?:text-align: (?:left|center|right);|(?:[a-z-]+:[-#a-z0-9. ()%,]+;)+)$/i

interface Node {
  readonly nodeName: string
  readonly namespaceURI?: string
  readonly attrs?: readonly { readonly name: string; readonly value: string }[]
  readonly childNodes?: readonly Node[]
}

/** The errors of some HTML, in words; empty for valid HTML. */
export function findFaults(text: string): string[] {
  const faults: string[] = []
  const tree = parseFragment(text, {
    onParseError: ({ code }) => void (TOLERATED.has(code) || faults.push(code)),
  })
  if (!isWellNested(text, serialize(tree))) faults.push('elements that do not stand as written')
  const walk = (node: Node, isInLink: boolean, isInFormula: boolean) => {
    for (const child of node.childNodes ?? []) {
      const { nodeName } = child
      if (nodeName.startsWith('#')) {
        if (nodeName === '#comment') faults.push('a comment')
        continue
      }
      const isFormula = isInFormula || child.namespaceURI === spec.NS.MATHML
      for (const fault of faultsOf(child, isFormula)) faults.push(fault)
      if (nodeName === 'a' && isInLink) faults.push('a link within a link')
      walk(child, isInLink || nodeName === 'a', isFormula)
    }
  }
  walk(tree as Node, false, false)
  return faults
}

/** A browser that moves elements serializes them elsewhere. It spells SVG differently. */
function isWellNested(text: string, again: string): boolean {
  const same = (html: string) =>
    html
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&nbsp;', '\u00a0')
      .replaceAll('controls=""', 'controls')
  return text.includes('<svg') || same(text) === same(again)
}

/** Characters from texts that are invalid in HTML are still no markup. */
const TOLERATED: ReadonlySet<string> = new Set([
  'control-character-in-input-stream',
  'noncharacter-in-input-stream',
  'surrogate-in-input-stream',
  'unexpected-null-character',
])

function faultsOf({ nodeName, attrs = [] }: Node, isInFormula: boolean): string[] {
  if (isInFormula) {
    if (/^(?:a|script|style|img|svg|iframe|form|input)$/.test(nodeName)) return [`${nodeName} in a formula`]
    return attrs.filter(({ name }) => NEVER_IN_FORMULAS.test(name)).map(({ name }) => `${name} in a formula`)
  }
  // KaTeX draws roots and wide accents.
  if (nodeName === 'svg' || nodeName === 'path' || nodeName === 'line' || nodeName === 'g') {
    return attrs.filter(({ name }) => NEVER_IN_FORMULAS.test(name)).map(({ name }) => `${nodeName} ${name}`)
  }
  const allowed = Object.hasOwn(ALLOWED, nodeName) ? ALLOWED[nodeName] : undefined
  if (!allowed) return [`element ${nodeName}`]
  return attrs
    .filter(({ name, value }) => !allowed.includes(name) || !isRight(name, value))
    .map(({ name, value }) => `${nodeName} ${name}=${value}`)
}

function isRight(name: string, value: string): boolean {
  if (name === 'href' || name === 'src') return URL.test(value)
  return name !== 'style' || STYLE.test(value)
}

/**
 * Makes the parser's tokens and inline states cheap: the library sets each of their properties by a function call of its
 * own, which takes a third of the time of a short text.
 */

import type { Delimiter, Env, MarkdownIt, StateInline, Token } from 'markdown-it'

type Nesting = -1 | 0 | 1
type Meta = Record<string, unknown> & { delimiters?: Delimiter[] }

/** A token as the library's constructor leaves it; the methods are the library's. */
class PlainToken {
  readonly type: string
  tag: string
  nesting: Nesting
  attrs: [string, string][] | null
  map: [number, number] | null
  level: number
  children: Token[] | null
  content: string
  markup: string
  info: string
  meta: Record<string, unknown> | null
  block: boolean
  hidden: boolean

  constructor(type: string, tag: string, nesting: Nesting) {
    this.type = type
    this.tag = tag
    this.nesting = nesting
    this.attrs = null
    this.map = null
    this.level = 0
    this.children = null
    this.content = ''
    this.markup = ''
    this.info = ''
    this.meta = null
    this.block = false
    this.hidden = false
  }
}

const TOKEN_CLASS = PlainToken as unknown as typeof Token

function createToken(type: string, tag: string, nesting: Nesting): Token {
  return new TOKEN_CLASS(type, tag, nesting)
}

/** An inline state as the library's constructor leaves it; methods that make no tokens are the library's. */
class PlainInlineState {
  readonly src: string
  readonly md: MarkdownIt
  readonly env: Env
  readonly tokens: Token[]
  readonly tokens_meta: (Meta | undefined)[]
  pos: number
  posMax: number
  level: number
  pending: string
  pendingLevel: number
  cache: Record<number, number>
  backticks: Record<number, number>
  backticksScanned: boolean
  skipHtmlSpecial: boolean
  linkLevel: number
  delimiters: Delimiter[]
  _prev_delimiters: Delimiter[][]
  readonly Token: typeof Token

  constructor(src: string, md: MarkdownIt, env: Env, tokens: Token[]) {
    this.src = src
    this.md = md
    this.env = env
    this.tokens = tokens
    this.tokens_meta = tokens.map(() => undefined)
    this.pos = 0
    this.posMax = src.length
    this.level = 0
    this.pending = ''
    this.pendingLevel = 0
    this.cache = {}
    this.backticks = {}
    this.backticksScanned = false
    this.skipHtmlSpecial = false
    this.linkLevel = 0
    this.delimiters = []
    this._prev_delimiters = []
    this.Token = TOKEN_CLASS
  }

  /** Ends the text that comes before the next token. */
  pushPending(): Token {
    const text = createToken('text', '', 0)
    text.content = this.pending
    text.level = this.pendingLevel
    this.pending = ''
    this.tokens.push(text)
    return text
  }

  /** Adds a token. Each open element has its own delimiters, which its end drops. */
  push(type: string, tag: string, nesting: Nesting): Token {
    if (this.pending !== '') this.pushPending()
    const token = createToken(type, tag, nesting)
    let meta: Meta | undefined
    if (nesting === -1) {
      this.level--
      this.delimiters = this._prev_delimiters.pop() ?? []
    }
    token.level = this.level
    if (nesting === 1) {
      this.level++
      this._prev_delimiters.push(this.delimiters)
      this.delimiters = []
      meta = { delimiters: this.delimiters }
    }
    this.pendingLevel = this.level
    this.tokens.push(token)
    this.tokens_meta.push(meta)
    return token
  }
}

/** Gives a parser cheap tokens and states; its rules see no difference. */
export function plainTokens(markdown: MarkdownIt): void {
  const { core, block, inline } = markdown
  inherit(PlainToken, new core.State('', markdown, {}).Token)
  inherit(PlainInlineState, inline.State)
  inline.State = PlainInlineState as unknown as typeof StateInline
  core.State = class extends core.State {
    override Token = TOKEN_CLASS
  }
  block.State = class extends block.State {
    override Token = TOKEN_CLASS

    override push(type: string, tag: string, nesting: Nesting): Token {
      const token = createToken(type, tag, nesting)
      token.block = true
      if (nesting === -1) this.level--
      token.level = this.level
      if (nesting === 1) this.level++
      this.tokens.push(token)
      return token
    }
  }
}

/** Adds the methods of a class that another one lacks. */
function inherit(plain: { readonly prototype: object }, from: { readonly prototype: object }): void {
  Object.setPrototypeOf(plain.prototype, from.prototype)
}

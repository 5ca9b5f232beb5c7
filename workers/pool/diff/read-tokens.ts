/** Splits a version into tokens to compare: words, pictures and link addresses, with the tags around each. */

import { readPieces } from './read-pieces.ts'

/** A part of the result: a tag or a token's own HTML, with the white space after it. */
export interface Chunk {
  readonly kind: 'open' | 'close' | 'void' | 'text'
  /** The element's name; empty for text and for elements that are compared as a whole. */
  readonly name: string
  readonly html: string
  readonly space: string
}

/** One unit of comparison. */
export interface Token {
  /** Equal for equal tokens, and different for tokens of different kinds. */
  readonly key: string
  readonly before: readonly Chunk[]
  readonly content: Chunk
  /** Whether only a difference makes it visible. */
  readonly isHiddenWhenEqual: boolean
  readonly after: readonly Chunk[]
}

const SPACE = /[\s\x85]+/g

/** The tokens of some HTML; at least one, to hold the tags. */
export function readTokens(html: string): Token[] {
  const tokens: (Token & { readonly after: Chunk[] })[] = []
  let tags: Chunk[] = []
  const add = (key: string, content: Chunk, isHiddenWhenEqual = false) => {
    tokens.push({ key, before: tags, content, isHiddenWhenEqual, after: [] })
    tags = []
  }
  for (const piece of readPieces(html)) {
    if (piece.kind === 'text') {
      forEachWord(piece.html, (word, space) => add(word, text(word, space)))
    } else if (piece.kind === 'atom') {
      add(`\0${piece.key}`, { kind: 'void', name: '', html: piece.html, space: piece.space })
    } else if (piece.kind === 'href') {
      add(`\0href: ${piece.html}`, text(` Link: ${piece.html}`, ' '), true)
    } else {
      const last = tokens.at(-1)
      // An element's end belongs to its last word, unless another element has started since.
      if (piece.kind === 'close' && tags.length === 0 && last) last.after.push(piece)
      else tags.push(piece)
    }
  }
  if (tokens.length === 0) add('', text('', ''))
  else for (const tag of tags) tokens.at(-1)?.after.push(tag)
  return tokens
}

/** Calls back with each word, and the space after it. */
function forEachWord(words: string, onWord: (word: string, space: string) => void): void {
  SPACE.lastIndex = 0
  for (let at = 0; at < words.length; ) {
    const [space] = SPACE.exec(words) ?? ['']
    const end = space === '' ? words.length : SPACE.lastIndex - space.length
    if (end > at) onWord(words.slice(at, end), space)
    at = end + space.length
  }
}

function text(html: string, space: string): Chunk {
  return { kind: 'text', name: '', html, space }
}

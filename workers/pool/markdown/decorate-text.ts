/** Decorates plain text, after all other syntax is parsed: addresses, linkifiers, emoji. */

import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { contextOf, type RenderContext } from './context.ts'
import { findAddresses } from './find-addresses.ts'
import { findEmojiCharacters, findEmoticons } from './find-emoji.ts'
import { findLinkifierMatches } from './find-linkifier-matches.ts'
import type { FoundLink } from './found-text.ts'
import { htmlToken } from './html.ts'

export function decorateText(markdown: MarkdownIt): void {
  markdown.core.ruler.at('linkify', (state) => {
    const context = contextOf(state.env)
    for (const token of state.tokens) {
      if (token.type === 'inline' && token.children) token.children = decorate(state, context, token.children)
    }
  })
}

function decorate(state: StateCore, context: RenderContext, tokens: Token[]): Token[] {
  const decorated: Token[] = []
  let linkDepth = 0
  let isAddress = false
  let isChanged = false
  for (const token of tokens) {
    if (token.type === 'link_open') {
      linkDepth++
      isAddress = token.markup === 'linkify'
    } else if (token.type === 'link_close') {
      linkDepth--
      isAddress = false
    }
    // An address is shown as written.
    if (isAddress || token.type !== 'text' || (token.content.length < 2 && token.content < '\u0080')) {
      decorated.push(token)
      continue
    }
    const before = decorated.length
    // A link contains no link, but may contain emoji.
    if (linkDepth > 0) addEmoji(state, context, token, decorated)
    else addLinks(state, context, token, decorated)
    isChanged ||= decorated.length !== before + 1 || decorated[before] !== token
  }
  return isChanged ? decorated : tokens
}

function addLinks(state: StateCore, context: RenderContext, token: Token, to: Token[]): void {
  const { linkifiers } = context.snapshot
  const { deadlineMs } = context
  const links = findAddresses(state.md, token.content)
  if (links.length === 0 && linkifiers.length === 0) return addEmoji(state, context, token, to)
  const addFound = (text: string, link: FoundLink) => addLink(state, text, link, to)
  splitAt(state, token, links, {
    addFound,
    addRest(rest) {
      const matches = findLinkifierMatches(rest.content, linkifiers, { deadlineMs })
      splitAt(state, rest, matches, { addFound, addRest: (last) => addEmoji(state, context, last, to) })
    },
  })
}

function addEmoji(state: StateCore, context: RenderContext, token: Token, to: Token[]): void {
  const characters = findEmojiCharacters(token.content, context.emojiLeft)
  context.emojiLeft -= characters.length
  splitAt(state, token, characters, {
    addFound: (_text, { html }) => to.push(htmlToken(state.Token, html)),
    addRest: (rest) => addEmoticons(state, context, rest, to),
  })
}

function addEmoticons(state: StateCore, context: RenderContext, token: Token, to: Token[]): void {
  const { isTranslatingEmoticons } = context.snapshot
  const emoticons = isTranslatingEmoticons ? findEmoticons(token.content, context.emojiLeft) : []
  context.emojiLeft -= emoticons.length
  splitAt(state, token, emoticons, {
    addFound: (_text, { html }) => to.push(htmlToken(state.Token, html)),
    addRest: (rest) => to.push(rest),
  })
}

/** The places for the parts of a split text: the findings, and the text between them. */
interface SplitParts<Found> {
  addFound(text: string, found: Found): void
  addRest(rest: Token): void
}

/** Splits a text token at findings. */
function splitAt<Found extends { readonly start: number; readonly end: number }>(
  state: StateCore,
  token: Token,
  found: readonly Found[],
  parts: SplitParts<Found>,
): void {
  if (found.length === 0) return parts.addRest(token)
  const text = token.content
  let position = 0
  for (const one of found) {
    if (one.start > position) parts.addRest(textToken(state, text.slice(position, one.start)))
    parts.addFound(text.slice(one.start, one.end), one)
    position = one.end
  }
  if (position < text.length) parts.addRest(textToken(state, text.slice(position)))
}

function addLink(state: StateCore, text: string, { url }: FoundLink, to: Token[]): void {
  const open = new state.Token('link_open', 'a', 1)
  open.attrs = [['href', url]]
  open.markup = 'linkify'
  to.push(open, textToken(state, text), new state.Token('link_close', 'a', -1))
}

function textToken(state: StateCore, content: string): Token {
  const token = new state.Token('text', '', 0)
  token.content = content
  return token
}

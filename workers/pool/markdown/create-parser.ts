/** The dialect's parser: markdown-it with the dialect's additions, and without the rules that it lacks. */

import MarkdownIt, { type MarkdownIt as Parser } from 'markdown-it'
import { blockHtml } from './block-html.ts'
import { blockQuotes } from './block-quotes.ts'
import { headings, nesting, quotes, tables } from './blocks.ts'
import { channelLinks } from './channel-links.ts'
import { codeSpans } from './code-spans.ts'
import { decorateText } from './decorate-text.ts'
import { emoji } from './emoji.ts'
import { emphasis, strike } from './emphasis.ts'
import { fences } from './fences.ts'
import { bareAddresses } from './find-addresses.ts'
import { readyHtml } from './html.ts'
import { images } from './images.ts'
import { linkUrls } from './link-urls.ts'
import { links } from './links.ts'
import { lists } from './lists.ts'
import { maths } from './maths.ts'
import { mentions } from './mentions.ts'
import { plainTokens } from './plain-tokens.ts'
import { previews } from './previews.ts'
import { times } from './times.ts'
import { webAddresses } from './web-addresses.ts'

/** Levels of nested inline syntax; deeper syntax stays text. */
const INLINE_LEVEL_MAX = 60

/** Creates a parser, which holds nothing of the texts it reads. */
export function createParser(): Parser {
  // Raw HTML is escaped; a single line break is one; addresses become links.
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: INLINE_LEVEL_MAX })
  // The dialect has no underlined headings, references or addresses in angle brackets, and a backslash is literal.
  markdown.disable(['lheading', 'reference', 'escape', 'autolink', 'html_block', 'html_inline'])
  for (const rule of [
    plainTokens,
    readyHtml,
    linkUrls,
    bareAddresses,
    nesting,
    lists,
    fences,
    blockQuotes,
    blockHtml,
    tables,
  ])
    rule(markdown)
  for (const rule of [
    webAddresses,
    codeSpans,
    emphasis,
    strike,
    mentions,
    channelLinks,
    emoji,
    maths,
    times,
    images,
  ])
    rule(markdown)
  for (const rule of [quotes, headings, decorateText, links, previews]) rule(markdown)
  return markdown
}

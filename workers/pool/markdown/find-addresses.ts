/** Addresses of the web and of mail that stand in a text as they are. */

import type { MarkdownIt } from 'markdown-it'
import type { FoundLink } from './found-text.ts'

/** Endings of host names that are linked without `http://`, besides those the package knows. */
const MORE_ENDINGS = (
  'agency app blog business chat cloud club company dev digital email eu events group int jobs life live media ' +
  'mil mobi network news online page party post rocks shop site social software solutions store studio ' +
  'support systems team tech tel today tools travel tube video wiki work world xyz zone'
).split(' ')
/** Endings of file names that are host names, too; in chat they are files. */
const FILE_ENDINGS: ReadonlySet<string> = new Set(['md', 'py'])

/** Sets up the package that knows what addresses look like. */
export function webAddresses(markdown: MarkdownIt): void {
  const known = markdown.linkify.__opts__.tlds
  markdown.linkify
    .tlds([...known.filter((ending) => !FILE_ENDINGS.has(ending)), ...MORE_ENDINGS])
    .add('//', null)
    .set({ fuzzyLink: true })
}

/** The addresses of a text, in order. */
export function findAddresses(markdown: MarkdownIt, text: string): FoundLink[] {
  if (!MAY_HOLD.test(text)) return []
  const found: FoundLink[] = []
  for (const match of markdown.linkify.match(text) ?? []) {
    const url = markdown.normalizeLink(match.url)
    if (markdown.validateLink(url)) found.push({ start: match.index, end: match.lastIndex, url })
  }
  return found
}
/** Every address has a scheme, or a host's last part after a dot. */
const MAY_HOLD = /:\/\/|\.\p{L}/u

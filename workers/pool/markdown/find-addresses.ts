/** Addresses of the web and of mail that stand in a text as they are. */

import type { MarkdownIt } from 'markdown-it'
import type { FoundLink } from './found-text.ts'
import { mayEndMail, readPath, readWebAddress } from './read-address.ts'

/** Endings of host names that are linked without `http://`, besides those the package knows. */
const MORE_ENDINGS = (
  'agency app blog business chat cloud club company dev digital email eu events group int jobs life live media ' +
  'mil mobi network news online page party post rocks shop site social software solutions store studio ' +
  'support systems team tech tel today tools travel tube video wiki work world xyz zone'
).split(' ')
/** Endings of file names that are host names, too; in chat they are files. */
const FILE_ENDINGS: ReadonlySet<string> = new Set(['md', 'py'])

/** Sets up the package that knows where an address begins, and what hosts are called. */
export function bareAddresses(markdown: MarkdownIt): void {
  const { linkify } = markdown
  const known = linkify.__opts__.tlds
  linkify
    .tlds([...known.filter((ending) => !FILE_ENDINGS.has(ending)), ...MORE_ENDINGS])
    .add('//', null)
    .set({ fuzzyLink: true })
  const validate = (text: string, position: number) => (readWebAddress(text, position) ?? position) - position
  for (const scheme of ['http:', 'https:', 'ftp:']) linkify.add(scheme, { validate })
}

/** The addresses of a text, in order. */
export function findAddresses(markdown: MarkdownIt, text: string): FoundLink[] {
  if (!MAY_HOLD.test(text)) return []
  const found: FoundLink[] = []
  let position = 0
  for (const { schema, index, lastIndex } of markdown.linkify.match(text) ?? []) {
    if (index < position) continue // It stands in the path of the one before.
    const end =
      schema === 'mailto:'
        ? mailEnd(text, lastIndex)
        : schema === ''
          ? hostedEnd(text, index, lastIndex)
          : lastIndex
    if (end === undefined) continue
    const url = markdown.normalizeLink(text.slice(index, end))
    if (!markdown.validateLink(url)) continue
    found.push({ start: index, end, url })
    position = end
  }
  return found
}
/** Every address has a scheme, or a host's last part after a dot. */
const MAY_HOLD = /:\/\/|\.\p{L}/u

function mailEnd(text: string, end: number): number | undefined {
  return mayEndMail(text, end) ? end : undefined
}

/** The end of an address without a scheme: what the package takes for its path is read anew. */
function hostedEnd(text: string, start: number, end: number): number | undefined {
  const pathStart = text.slice(start, end).search(/[/?#]/)
  return readPath(text, pathStart < 0 ? end : start + pathStart)
}

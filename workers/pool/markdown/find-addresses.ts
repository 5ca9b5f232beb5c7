/** Finds web and email addresses in plain text. */

import type { MarkdownIt } from 'markdown-it'
import type { FoundLink } from './found-text.ts'
import { mayEndMail, readPath, readWebAddress } from './read-address.ts'

/** Top-level domains that are linked without `http://`, besides those of the package. */
const MORE_ENDINGS = (
  'agency app blog business chat cloud club company dev digital email eu events group int jobs life live media ' +
  'mil mobi network news online page party post rocks shop site social software solutions store studio ' +
  'support systems team tech tel today tools travel tube video wiki work world xyz zone'
).split(' ')
/** File extensions that are also top-level domains; in chat they mean files. */
const FILE_ENDINGS: ReadonlySet<string> = new Set(['md', 'py'])

/** Configures the package that detects addresses and host names. */
export function bareAddresses(markdown: MarkdownIt): void {
  const { linkify } = markdown
  const domains = linkify.__opts__.tlds
  linkify
    .tlds([...domains.filter((ending) => !FILE_ENDINGS.has(ending)), ...MORE_ENDINGS])
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
    if (index < position) continue // It is inside the path of the previous one.
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
/** Every address has a scheme, or a dot and a top-level domain. */
const MAY_HOLD = /:\/\/|\.\p{L}/u

function mailEnd(text: string, end: number): number | undefined {
  return mayEndMail(text, end) ? end : undefined
}

/** The end of an address without a scheme: the path is parsed again, unlike the package does. */
function hostedEnd(text: string, start: number, end: number): number | undefined {
  const pathStart = text.slice(start, end).search(/[/?#]/)
  return readPath(text, pathStart < 0 ? end : start + pathStart)
}

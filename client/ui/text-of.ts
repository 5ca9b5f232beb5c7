/** The text of rendered markup, for lists and notifications. */

import { charactersOf } from '../store/emoji/emoji.ts'
import { ownPicture } from './own-picture.ts'
import { toDocument } from './server-html.tsx'

/** Characters that a line shows. */
const LENGTH_MAX = 200

/** A text, or the picture of an emoji of the organization. */
export type SnippetPart = string | { readonly name: string; readonly picture: string }

/** One line of text. */
export function textOf(html: string): string {
  return snippetOf(html)
    .map((part) => (typeof part === 'string' ? part : part.name))
    .join('')
}

/**
 * One line of text with the pictures of emoji. The markup is parsed apart from the page, so nothing in it is loaded or
 * run.
 */
function snippetOf(html: string): readonly SnippetPart[] {
  return lineOf(toDocument(html).body)
}

/** The same of markup that is parsed, which it changes. */
export function lineOf(body: HTMLElement): readonly SnippetPart[] {
  for (const one of body.querySelectorAll('.spoiler-content, .message_embed')) one.remove()
  // A formula is there several times, for eyes and for programs; its source is the shortest.
  for (const one of body.querySelectorAll('.katex'))
    one.replaceWith(one.querySelector('annotation')?.textContent ?? '')
  const pictures: Exclude<SnippetPart, string>[] = []
  for (const one of body.querySelectorAll<HTMLElement>('.emoji')) {
    const code = [...one.classList].find((name) => name.startsWith('emoji-'))?.slice('emoji-'.length)
    const name = one.getAttribute('alt') ?? one.textContent ?? ''
    const picture = ownPicture(one.getAttribute('src') ?? '')
    if (code !== undefined) one.replaceWith(charactersOf(code))
    else if (picture === undefined) one.replaceWith(name)
    else {
      one.replaceWith(MARK)
      pictures.push({ name, picture })
    }
  }
  return cutInto(body.textContent ?? '', pictures)
}

/** The start of a text, in one line. */
export function toLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, LENGTH_MAX)
}

/** Stands for a picture; messages have no such character. */
const MARK = '\0'

function cutInto(text: string, pictures: readonly SnippetPart[]): readonly SnippetPart[] {
  return toLine(text)
    .split(MARK)
    .flatMap((part, index) => (index === 0 ? [part] : [pictures[index - 1] ?? '', part]))
    .filter((part) => part !== '')
}

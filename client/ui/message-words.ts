/** A message in a line of a list: its text, or in words what it is. */

import type { Message } from '../../packages/client/src/wire-types.ts'
import { widgetOf } from '../store/messages/widgets.ts'
import { toDocument } from './server-html.tsx'
import { lineOf, type SnippetPart, toLine } from './text-of.ts'
import { t } from '../texts/texts.ts'

export interface MessageWords {
  /** The kind of a message that is no plain text, such as `Poll`; else empty. */
  readonly kind: string
  readonly parts: readonly SnippetPart[]
  readonly isCode: boolean
}

export type Worded = Pick<Message, 'content' | 'sender_id' | 'submessages' | 'is_me_message'>

const BLOCKS = '.codehilite, pre, table, .spoiler-block, blockquote, .message_inline_image, audio'
const FILES = 'a[href^="/user_uploads/"]'

export function wordsOf(message: Worded): MessageWords {
  const widget = message.submessages.length > 0 ? widgetOf(message) : undefined
  if (widget?.type === 'poll') return words(t('Poll'), [widget.question])
  if (widget) {
    const done = t('{done} of {all} done', {
      done: widget.tasks.filter(({ isDone }) => isDone).length,
      all: widget.tasks.length,
    })
    return words(t('To-do'), [widget.title === '' ? done : `${widget.title}, ${done}`])
  }
  const plain = plainText(message.content)
  if (plain !== undefined) return words('', withoutMe(message, [plain]))
  const { body } = toDocument(message.content)
  // Pictures stand below the links to them.
  for (const one of body.querySelectorAll('.message_inline_image a'))
    body.querySelector(`p > a[href="${CSS.escape(one.getAttribute('href') ?? '')}"]`)?.remove()
  return blockOf(body) ?? words('', withoutMe(message, lineOf(body)))
}

const CHARACTERS: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

/** The text of one paragraph without markup, as most messages are: parsing takes a hundred times as long. */
function plainText(html: string): string | undefined {
  if (!html.startsWith('<p>') || html.indexOf('<', 3) !== html.length - '</p>'.length) return undefined
  const text = html
    .slice('<p>'.length, -'</p>'.length)
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (one) => CHARACTERS[one] ?? one)
  return html.includes('&#') ? undefined : toLine(text)
}

function words(kind: string, parts: readonly SnippetPart[], isCode = false): MessageWords {
  return { kind, parts, isCode }
}

/** The words for a message that has nothing but a block, pictures or files. */
function blockOf(body: HTMLElement): MessageWords | undefined {
  const block = body.querySelector<HTMLElement>(BLOCKS)
  const files = [...body.querySelectorAll(FILES)].filter((one) => one.closest(BLOCKS) === null)
  if (!block && files.length === 0) return undefined
  const rest = body.cloneNode(true) as HTMLElement
  for (const one of rest.querySelectorAll(`${BLOCKS}, ${FILES}`)) one.remove()
  if (rest.textContent?.trim() !== '' || rest.querySelector('img')) return undefined
  if (block?.matches('.codehilite, pre')) return words(t('Code'), [firstLine(block)], true)
  if (block?.matches('table'))
    return words(t('Table'), [[...block.querySelectorAll('th')].map(textIn).join(', ')])
  if (block?.matches('.spoiler-block')) return words(t('Spoiler'), lineOf(block))
  if (block?.matches('blockquote')) return words(t('Quote'), lineOf(block))
  return words('', [mediaOf(body, files)])
}

/** Two pictures, a file. */
function mediaOf(body: HTMLElement, files: readonly Element[]): string {
  const count = (selector: string) => body.querySelectorAll(selector).length
  const texts = [
    t('{count, plural, =0 {} one {Picture} other {# pictures}}', {
      count: count('.message_inline_image:not(.message_inline_video)'),
    }),
    t('{count, plural, =0 {} one {Video} other {# videos}}', { count: count('.message_inline_video') }),
    t('{count, plural, =0 {} one {Recording} other {# recordings}}', { count: count('audio') }),
    files.length === 1
      ? t('File: {name}', { name: textIn(files[0] as Element) })
      : t('{count, plural, =0 {} one {File} other {# files}}', { count: files.length }),
  ]
  return texts.filter((text) => text !== '').join(', ')
}

function firstLine(block: Element): string {
  return (block.querySelector('pre') ?? block).textContent?.trim().split('\n', 1)[0] ?? ''
}

function textIn(element: Element): string {
  return element.textContent?.trim() ?? ''
}

/** `/me waters the plants` without its command: the sender stands before it. */
function withoutMe({ is_me_message: isMe }: Worded, parts: readonly SnippetPart[]): readonly SnippetPart[] {
  const [first, ...others] = parts
  return isMe && typeof first === 'string' ? [first.replace(/^\/me\s+/, ''), ...others] : parts
}

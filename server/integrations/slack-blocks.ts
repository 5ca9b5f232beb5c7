/** Slack's blocks and attachments as Markdown. Parts that show nothing here, such as menus, are left out. */

import { bold, code, fenced, inLine, link, lines, paragraphs, plain } from './markdown.ts'
import { translate, translatePlain } from './mrkdwn.ts'
import { at, firstOf, listAt, numberAt, textAt } from './payload.ts'

/** Slack's own limit of a message. */
const BLOCKS_MAX = 50
/** Attachments: Slack advises against more than 20. */
const ATTACHMENTS_MAX = 50
/** Nesting of rich text: lists in quotes, with links. */
const DEPTH_MAX = 8
const FIELDS_MAX = 50
/** Cells of a table: more are no message. */
const ROWS_MAX = 100
const COLUMNS_MAX = 20

/** The blocks there, as paragraphs. */
export function describeBlocks(value: unknown): string {
  return paragraphs(...listAt(value, 'blocks').slice(0, BLOCKS_MAX).map(describeBlock))
}

/** The attachments there, as paragraphs. */
export function describeAttachments(value: unknown): string {
  return paragraphs(...listAt(value, 'attachments').slice(0, ATTACHMENTS_MAX).map(describeAttachment))
}

function describeBlock(block: unknown): string {
  switch (textAt(block, 'type')) {
    case 'header':
      return bold(unescaped(at(block, 'text')))
    case 'section':
      return paragraphs(textObject(at(block, 'text')), fieldTexts(block), accessory(at(block, 'accessory')))
    case 'context':
      return listAt(block, 'elements')
        .slice(0, FIELDS_MAX)
        .map(contextElement)
        .filter((text) => text !== '')
        .join(' ')
    case 'divider':
      return '---'
    case 'image':
      return image(block)
    case 'video':
      return link(
        firstOf(unescaped(at(block, 'title')), 'Video'),
        firstOf(textAt(block, 'title_url'), textAt(block, 'video_url')),
      )
    case 'actions':
      return buttons(listAt(block, 'elements'))
    case 'markdown':
      return textAt(block, 'text')
    case 'rich_text':
      return richText(listAt(block, 'elements'), 0)
    case 'table':
      return table(block)
    default:
      return ''
  }
}

function unescaped(object: unknown): string {
  return typeof object === 'string' ? object : textAt(object, 'text')
}

/** A text object: plain or mrkdwn. */
function textObject(object: unknown): string {
  const text = unescaped(object)
  return textAt(object, 'type') === 'plain_text'
    ? text.split('\n').map(translatePlain).join('\n')
    : translate(text)
}

function fieldTexts(block: unknown): string {
  return lines(
    ...listAt(block, 'fields')
      .slice(0, FIELDS_MAX)
      .map(textObject)
      .map((text) => text.replaceAll(/\n+/g, ' ')),
  )
}

function accessory(element: unknown): string {
  return textAt(element, 'type') === 'image' ? image(element) : buttons([element])
}

function contextElement(element: unknown): string {
  return textAt(element, 'type') === 'image'
    ? plain(textAt(element, 'alt_text'))
    : textObject(element).replaceAll(/\n+/g, ' ')
}

function image(element: unknown): string {
  const address = firstOf(textAt(element, 'image_url'), textAt(element, 'slack_file', 'url'))
  return link(firstOf(unescaped(at(element, 'title')), textAt(element, 'alt_text'), 'Image'), address)
}

/** Buttons that lead somewhere; others need their own server. */
function buttons(elements: readonly unknown[]): string {
  return elements
    .slice(0, FIELDS_MAX)
    .filter((element) => textAt(element, 'url') !== '')
    .map((element) => link(firstOf(unescaped(at(element, 'text')), 'Open'), textAt(element, 'url')))
    .join(' ')
}

function richText(elements: readonly unknown[], depth: number): string {
  if (depth > DEPTH_MAX) return ''
  const pieces = elements.slice(0, FIELDS_MAX * 10).map((element) => richElement(element, depth))
  return depth === 0 ? paragraphs(...pieces) : pieces.join('')
}

function richElement(element: unknown, depth: number): string {
  const inner = () => richText(listAt(element, 'elements'), depth + 1)
  switch (textAt(element, 'type')) {
    case 'rich_text_section':
      return inner()
    case 'rich_text_quote':
      return inner()
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n')
    case 'rich_text_preformatted':
      return fenced(
        listAt(element, 'elements')
          .map((one) => firstOf(rawText(one), textAt(one, 'url')))
          .join(''),
      )
    case 'rich_text_list': {
      const isOrdered = textAt(element, 'style') === 'ordered'
      const indent = '  '.repeat(Math.max(0, Math.min(numberAt(element, 'indent') ?? 0, DEPTH_MAX)))
      const items = listAt(element, 'elements').slice(0, FIELDS_MAX * 2)
      return items
        .map((item, index) => `${indent}${isOrdered ? `${index + 1}.` : '*'} ${richElement(item, depth + 1)}`)
        .join('\n')
    }
    case 'text':
      return styled(rawText(element), at(element, 'style'))
    case 'link':
      return linked(element)
    case 'emoji':
      return `:${textAt(element, 'name').replaceAll(/[^\w+-]/g, '')}:`
    case 'user':
      return plain(`@${textAt(element, 'user_id')}`)
    case 'usergroup':
      return '@group'
    case 'channel':
      return plain(`#${textAt(element, 'channel_id')}`)
    case 'broadcast':
      return plain(`@${textAt(element, 'range')}`)
    default:
      return ''
  }
}

/** With its spaces, which separate words. */
function rawText(element: unknown): string {
  const text = at(element, 'text')
  return typeof text === 'string' ? text : ''
}

/** A link whose text may begin or end with the space that separates it from the next word. */
function linked(element: unknown): string {
  const url = textAt(element, 'url')
  const { before, words, after } = spaced(rawText(element))
  return before + link(firstOf(words, url), url) + after
}

/** The spaces before a text, the text, and those after it. */
function spaced(text: string) {
  const words = text.trim()
  const start = text.indexOf(words)
  return { before: text.slice(0, start), words, after: text.slice(start + words.length) }
}

function styled(text: string, style: unknown): string {
  const { before, words, after } = spaced(text)
  if (words === '') return text
  if (at(style, 'code') === true) return before + code(words) + after
  let shown = words.split('\n').map(plain).join('\n')
  if (at(style, 'strike') === true) shown = `~~${shown}~~`
  if (at(style, 'italic') === true) shown = `*${shown}*`
  if (at(style, 'bold') === true) shown = `**${shown}**`
  return before + shown + after
}

function table(block: unknown): string {
  const rows = listAt(block, 'rows')
    .slice(0, ROWS_MAX)
    .map((row) => (Array.isArray(row) ? row : []).slice(0, COLUMNS_MAX))
  const width = Math.max(0, ...rows.map(({ length }) => length))
  if (width === 0) return ''
  const [head, ...body] = rows.map(
    (row) => `| ${Array.from({ length: width }, (_, index) => cell(row[index])).join(' | ')} |`,
  )
  return [head, `| ${Array.from({ length: width }, () => '---').join(' | ')} |`, ...body].join('\n')
}

function cell(value: unknown): string {
  const text =
    textAt(value, 'type') === 'rich_text'
      ? richText(listAt(value, 'elements'), 0)
      : plain(textAt(value, 'text'))
  return text.replaceAll(/\s+/g, ' ')
}

function describeAttachment(attachment: unknown): string {
  const blocks = describeBlocks(attachment)
  const [title, url] = [textAt(attachment, 'title'), textAt(attachment, 'title_link')]
  const fields = listAt(attachment, 'fields').slice(0, FIELDS_MAX).map(describeField)
  const picture = textAt(attachment, 'image_url')
  const text = translate(textAt(attachment, 'text'))
  const author = link(textAt(attachment, 'author_name'), textAt(attachment, 'author_link'))
  const shown = paragraphs(
    translate(textAt(attachment, 'pretext')),
    lines(
      author,
      title === '' ? '' : `**${url === '' ? translatePlain(title) : link(unescapeTitle(title), url)}**`,
    ),
    text,
    lines(...fields),
    blocks,
    picture === '' ? '' : link('Image', picture),
    buttons(listAt(attachment, 'actions')),
    plain(textAt(attachment, 'footer')),
  )
  return shown === '' ? translate(textAt(attachment, 'fallback')) : shown
}

function unescapeTitle(title: string): string {
  return title.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function describeField(field: unknown): string {
  const [title, value] = [unescapeTitle(textAt(field, 'title')), translate(textAt(field, 'value'))]
  if (title === '') return value
  const name = bold(inLine(title))
  return value === '' ? name : `${name}: ${value.replaceAll(/\n+/g, ' ')}`
}

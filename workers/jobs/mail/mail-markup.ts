/**
 * A message for mail programs, as HTML and as plain text. The server's own HTML goes in, well-formed and with quoted
 * attributes; only elements of a list come out. So no mail loads anything, and every link is a whole address.
 */

import { colorOf, MEASURES } from '../../../packages/look/tokens.ts'
import type { ServerTexts } from '../../../server/texts/texts.ts'
import { escapeHtml } from '../../../server/domain/text/escape-html.ts'

/** A message in both forms. */
export interface MailMarkup {
  readonly html: string
  readonly text: string
}

/** Elements that mails have, with their styles. */
const ELEMENTS: Readonly<Record<string, string>> = {
  p: 'margin:0 0 6px',
  strong: '',
  em: '',
  del: '',
  code: 'font-family:monospace;font-size:13px',
  pre: `margin:0 0 6px;padding:8px 10px;border-radius:${MEASURES.radius};background:${colorOf('ground', 'light')};font-family:monospace;font-size:13px;line-height:19px;white-space:pre-wrap`,
  blockquote: `margin:0 0 6px;padding:0 0 0 10px;border-left:3px solid ${colorOf('line', 'light')}`,
  ul: 'margin:0 0 6px;padding-left:22px',
  ol: 'margin:0 0 6px;padding-left:22px',
  li: '',
  br: '',
  hr: '',
  table: 'margin:0 0 6px;border-collapse:collapse',
  tr: '',
  th: 'padding:2px 10px 2px 0;text-align:left',
  td: 'padding:2px 10px 2px 0;vertical-align:top',
  h1: 'margin:0 0 6px;font-size:17px',
  h2: 'margin:0 0 6px;font-size:16px',
  h3: 'margin:0 0 6px;font-size:15px',
  h4: 'margin:0 0 6px;font-size:15px',
  h5: 'margin:0 0 6px;font-size:15px',
  h6: 'margin:0 0 6px;font-size:15px',
}
const LINK = `color:${colorOf('accent', 'light')}`
/** Elements whose colors differ in the dark theme. */
const CLASSES: Readonly<Record<string, string>> = { pre: ' class="block"', blockquote: ' class="quote"' }
/** Elements without an end. */
const VOID = new Set(['br', 'hr', 'img', 'input', 'source'])
/** Elements that begin and end a line of text. */
const BLOCKS = new Set('p pre blockquote ul ol li tr table div h1 h2 h3 h4 h5 h6 hr br'.split(' '))
/** Elements after an empty line, except at the start of a quote or a list entry. */
const PARAGRAPHS = new Set('p pre blockquote ul ol table h1 h2 h3 h4 h5 h6'.split(' '))
/** Classes of parts that a mail leaves out: hidden text, and pictures, which have a link beside them. */
const HIDDEN = /(?:^| )(?:spoiler-content|message_inline_image|message_embed|katex-html)(?: |$)/
const TAG = /^<(\/?)([a-z][a-z0-9]*)/i

interface Open {
  readonly name: string
  readonly isHidden: boolean
  /** The end of what it became. */
  readonly end: string
  /** Of a link: its address, and where its text begins. */
  readonly link?: { readonly href: string; readonly from: number }
}

/** Converts a rendered message; links of the server become whole ones. */
export function mailMarkup(rendered: string, publicUrl: string, texts: ServerTexts): MailMarkup {
  const writer = new Writer(publicUrl, texts)
  for (let at = 0; at < rendered.length; ) {
    const start = rendered.indexOf('<', at)
    if (start !== at) {
      writer.addText(decode(rendered.slice(at, start < 0 ? undefined : start)))
      if (start < 0) break
    }
    const end = endOfTag(rendered, start)
    writer.addTag(rendered.slice(start, end))
    at = end
  }
  return writer.finish()
}

/** The index after a tag; a `>` in a quoted attribute does not end it. */
function endOfTag(html: string, start: number): number {
  for (let at = start, isQuoted = false; at < html.length; at++) {
    if (html[at] === '"') isQuoted = !isQuoted
    else if (html[at] === '>' && !isQuoted) return at + 1
  }
  return html.length
}

class Writer {
  readonly #publicUrl: string
  readonly #texts: ServerTexts
  readonly #open: Open[] = []
  #html = ''
  #text = ''
  #quotes = 0
  /** Whether nothing stands in the paragraph yet. */
  #isFresh = true
  /** The lists that are open: the number of the last entry, or null for one without numbers. */
  readonly #lists: (number | null)[] = []

  constructor(publicUrl: string, texts: ServerTexts) {
    this.#publicUrl = publicUrl
    this.#texts = texts
  }

  addText(text: string): void {
    const parent = this.#open.at(-1)
    if (parent?.isHidden) return
    this.#html += escapeHtml(text)
    const isPre = this.#open.some(({ name }) => name === 'pre')
    const shown = isPre ? text : text.replaceAll(/\s+/g, ' ')
    const line = !isPre && (this.#isAtLineStart() || this.#isAtEntry()) ? shown.trimStart() : shown
    this.#text += this.#quotes === 0 ? line : line.replaceAll('\n', `\n${'> '.repeat(this.#quotes)}`)
    if (line.trim() !== '') this.#isFresh = false
  }

  addTag(tag: string): void {
    const [, slash, written = ''] = TAG.exec(tag) ?? []
    const name = written.toLowerCase()
    if (name === '') return
    if (slash === '/') return this.#close(name)
    const classes = attribute(tag, 'class')
    const isHidden = this.#open.at(-1)?.isHidden === true || HIDDEN.test(classes)
    if (HIDDEN.test(classes) && classes.includes('spoiler-content') && !this.#open.at(-1)?.isHidden)
      this.#addNote()
    if (VOID.has(name)) {
      if (!isHidden) this.#addVoid(name, tag, classes)
      return
    }
    const emoji = /(?:^| )emoji-([0-9a-f-]+)/.exec(classes)?.[1]
    if (emoji !== undefined && !isHidden) {
      this.addText(String.fromCodePoint(...emoji.split('-').map((code) => Number.parseInt(code, 16))))
      this.#open.push({ name, isHidden: true, end: '' })
      return
    }
    // Programs read MathML, and a mail has its source alone.
    const isFormula = name === 'semantics'
    if (isHidden || isFormula) this.#open.push({ name, isHidden: true, end: '' })
    else this.#open.push(this.#start(name, tag))
    if (name === 'annotation') this.#open.push({ name: '', isHidden: false, end: '' })
  }

  finish(): MailMarkup {
    while (this.#open.length > 0) this.#end(this.#open.pop() as Open)
    return { html: this.#html, text: this.#text.trim().replaceAll(/\n(?:(?:> )*\n){2,}/g, '\n\n') }
  }

  #start(name: string, tag: string): Open {
    const plain = { name, isHidden: false, end: '' }
    const isList = name === 'ul' || name === 'ol'
    if (PARAGRAPHS.has(name) && !(isList && this.#lists.length > 0)) this.#breakParagraph()
    if (name === 'blockquote') {
      this.#quotes++
      if (this.#isAtEntry()) this.#text += '> '
    }
    if (BLOCKS.has(name)) this.#breakLine()
    if (isList) this.#lists.push(name === 'ol' ? Number(attribute(tag, 'start') || 1) - 1 : null)
    if (name === 'li') this.#addEntry()
    if (name === 'blockquote') this.#isFresh = true
    if (name === 'a') {
      const href = this.#address(decode(attribute(tag, 'href')))
      if (href === undefined) return plain
      this.#html += `<a class="link" style="${LINK}" href="${escapeHtml(href)}">`
      return { ...plain, end: '</a>', link: { href, from: this.#text.length } }
    }
    const style = ELEMENTS[name]
    if (style === undefined) return plain
    this.#html += style === '' ? `<${name}>` : `<${name}${CLASSES[name] ?? ''} style="${style}">`
    return { ...plain, end: `</${name}>` }
  }

  #close(name: string): void {
    const index = this.#open.findLastIndex((one) => one.name === name)
    if (index < 0) return
    while (this.#open.length > index) this.#end(this.#open.pop() as Open)
  }

  #end({ name, end, isHidden, link }: Open): void {
    this.#html += end
    if (isHidden) return
    if (name === 'blockquote') this.#quotes--
    if (name === 'ul' || name === 'ol') this.#lists.pop()
    if (link && !link.href.includes('/#narrow/') && this.#text.slice(link.from) !== link.href)
      this.#text += ` (${link.href})`
    if (name === 'td' || name === 'th') this.#text += '  '
    // An empty entry has its line, too.
    if (name === 'li') this.#isFresh = false
    if (BLOCKS.has(name)) this.#breakLine()
  }

  #addVoid(name: string, tag: string, classes: string): void {
    if (name === 'img') {
      const isEmoji = classes.split(' ').includes('emoji')
      this.addText(decode(attribute(tag, 'alt')) || (isEmoji ? '' : 'picture'))
      return
    }
    if (ELEMENTS[name] === undefined) return
    this.#html += `<${name}>`
    this.#breakLine()
  }

  #addNote(): void {
    this.#breakLine()
    const { t } = this.#texts
    const note = t('(The rest is hidden. Open the conversation to see it.)')
    this.#html += `<p class="soft" style="margin:0 0 6px"><em>${escapeHtml(note)}</em></p>`
    this.#text += note
    this.#breakLine()
  }

  /** Addresses that open in a browser or a mail program. */
  #address(href: string): string | undefined {
    if (href.startsWith('#')) return `${this.#publicUrl}/${href}`
    if (href.startsWith('/') && !href.startsWith('//')) return `${this.#publicUrl}${href}`
    return /^(?:https?|mailto):/i.test(href) ? href : undefined
  }

  #isAtLineStart(): boolean {
    return /(?:^|\n)(?:> )*$/.test(this.#text.slice(-40))
  }

  /** Whether nothing stands in the entry of a list yet, except the marks of quotes. */
  #isAtEntry(): boolean {
    return this.#isFresh && /(?:- |\d\. )(?:> )*$/.test(this.#text.slice(-40))
  }

  /** Begins an entry of a list. */
  #addEntry(): void {
    const depth = Math.max(this.#lists.length, 1)
    const number = this.#lists[depth - 1] ?? null
    if (number !== null) this.#lists[depth - 1] = number + 1
    this.#text += `${'  '.repeat(depth - 1)}${number === null ? '- ' : `${number + 1}. `}`
    this.#isFresh = true
  }

  #breakLine(): void {
    if (this.#isAtEntry()) return
    const quote = '> '.repeat(this.#quotes)
    if (this.#isAtLineStart()) this.#text = `${this.#text.replace(/(?:> )+$/, '')}${quote}`
    else this.#text = `${withoutEnd(this.#text)}\n${quote}`
  }

  #breakParagraph(): void {
    if (this.#isFresh) return
    this.#breakLine()
    this.#text += `\n${'> '.repeat(this.#quotes)}`
    this.#isFresh = true
  }
}

/** Without spaces at its end, as cells of tables leave them. */
function withoutEnd(text: string): string {
  let end = text.length
  while (text[end - 1] === ' ') end--
  return text.slice(0, end)
}

function attribute(tag: string, name: string): string {
  const start = tag.indexOf(` ${name}="`)
  if (start < 0) return ''
  const from = start + name.length + 3
  return tag.slice(from, tag.indexOf('"', from))
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

function decode(html: string): string {
  return html.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name as string] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
  })
}

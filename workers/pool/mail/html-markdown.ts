/** Turns the HTML of a mail into Markdown: a list of elements counts, all others are only their text. */

import { Parser } from 'htmlparser2'

/** Characters that are read: what people write by hand is far shorter, and quotes come last. */
const HTML_LENGTH_MAX = 256 * 1024
/** Open elements, beyond which the rest is left out: no program writes so many, and the parser keeps each. */
const DEPTH_MAX = 500
/** Levels of lists and quotes that are kept. */
const LEVELS_MAX = 5
const DROPPED = new Set([
  'head',
  'title',
  'style',
  'script',
  'noscript',
  'template',
  'svg',
  'object',
  'select',
])
const PARAGRAPHS = new Set(['p', 'table', 'ul', 'ol', 'hr', 'blockquote', 'pre'])
const LINES = new Set(['div', 'tr', 'li', 'section', 'article', 'header', 'footer', 'center', 'address'])
const MARKS: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '*', em: '*', code: '`' }

/** Markdown of HTML; without `keepsQuotes` it ends where the mail that was answered begins. */
export function htmlToMarkdown(html: string, keepsQuotes: boolean): string {
  const writer = new MarkdownWriter(keepsQuotes)
  const parser = new Parser({
    onopentag: (name, attributes) => writer.open(name, attributes),
    ontext: (text) => writer.text(text),
    onclosetag: (name) => writer.close(name),
  })
  const end = Math.min(html.length, HTML_LENGTH_MAX)
  // In pieces, so that nothing behind the end is parsed.
  for (let at = 0; at < end && !writer.isDone; at += 1024)
    parser.write(html.slice(at, Math.min(at + 1024, end)))
  if (!writer.isDone) parser.end()
  return writer.finish()
}

/** Whether an element begins the mail that was answered, as mail programs mark it. */
function isQuote(name: string, { class: classes = '', id = '', type, style = '' }: Record<string, string>) {
  if (/(^|\s)(gmail_quote|gmail_attr|yahoo_quoted|moz-cite-prefix|protonmail_quote)/.test(classes))
    return true
  if (/^(x_)?(appendonsend|divRplyFwdMsg|mail-editor-reference-message-container)$/.test(id)) return true
  if (name === 'blockquote') return type === 'cite'
  return name === 'div' && /border-top:\s*solid\s+#(E1E1E1|B5C4DF)/i.test(style)
}

/** Writes Markdown from the events of a parser. */
class MarkdownWriter {
  readonly #keepsQuotes: boolean
  readonly #open: string[] = []
  /** The start of each open link in the text of its level, and its address. */
  readonly #links: { readonly at: number; readonly url: string | undefined }[] = []
  readonly #lists: { readonly isOrdered: boolean; count: number }[] = []
  /** The texts of the quotes around, outermost first. */
  readonly #outer: string[] = []
  readonly #marks = new Map<string, number>()
  #out = ''
  #dropped = 0
  #preformatted = 0
  isDone = false

  constructor(keepsQuotes: boolean) {
    this.#keepsQuotes = keepsQuotes
  }

  open(name: string, attributes: Record<string, string>): void {
    if (this.isDone) return
    if (this.#open.length >= DEPTH_MAX || (!this.#keepsQuotes && isQuote(name, attributes))) {
      this.isDone = true
      return
    }
    if (name === 'br') return this.#write('\n')
    if (name === 'img' || name === 'meta' || name === 'link' || name === 'input') return
    this.#open.push(name)
    if (DROPPED.has(name)) this.#dropped++
    if (this.#dropped > 0) return
    this.#break(name)
    const mark = MARKS[name]
    if (name === 'pre' && this.#preformatted++ === 0) this.#write('```\n')
    else if (mark !== undefined && this.#preformatted === 0 && !this.#marks.has(mark)) {
      this.#write(mark)
      this.#marks.set(mark, this.#out.length)
    } else if (name === 'a') this.#links.push({ at: this.#out.length, url: safeUrl(attributes['href']) })
    else if (name === 'ul' || name === 'ol') this.#lists.push({ isOrdered: name === 'ol', count: 0 })
    else if (name === 'li') this.#beginItem()
    else if (/^h[1-6]$/.test(name)) this.#write(`${'#'.repeat(Number(name[1]))} `)
    else if (name === 'blockquote' && this.#outer.length < LEVELS_MAX) {
      this.#outer.push(this.#out)
      this.#out = ''
    }
  }

  text(text: string): void {
    if (this.isDone || this.#dropped > 0) return
    if (this.#preformatted > 0) return this.#write(text.replaceAll('```', "'''"))
    const flat = text.replaceAll(/\s+/g, ' ')
    this.#write(/(^|[\s`*])$/.test(this.#out) && !this.#out.endsWith('**') ? flat.trimStart() : flat)
  }

  close(name: string): void {
    if (this.isDone || !this.#open.includes(name)) return
    for (let last = this.#open.pop(); last !== undefined; last = this.#open.pop()) {
      this.#end(last)
      if (last === name) return
    }
  }

  finish(): string {
    for (let last = this.#open.pop(); last !== undefined; last = this.#open.pop()) this.#end(last)
    return this.#out
      .replaceAll(/[ \t]+\n/g, '\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  }

  #end(name: string): void {
    if (DROPPED.has(name)) this.#dropped--
    if (this.#dropped > 0 || DROPPED.has(name)) return
    const mark = MARKS[name]
    if (name === 'pre') {
      if (--this.#preformatted === 0) this.#write(this.#out.endsWith('\n') ? '```\n\n' : '\n```\n\n')
    } else if (mark !== undefined) this.#endMark(mark)
    else if (name === 'a') this.#endLink()
    else if (name === 'ul' || name === 'ol') this.#lists.pop()
    else if (name === 'td' || name === 'th') this.#write(' ')
    else if (name === 'blockquote') this.#endQuote()
    this.#break(name)
  }

  #write(text: string): void {
    this.#out += text
  }

  /** Blocks begin and end with lines of their own; marks do not reach over them. */
  #break(name: string): void {
    const isParagraph = PARAGRAPHS.has(name) || /^h[1-6]$/.test(name)
    if (!isParagraph && !LINES.has(name)) return
    for (const mark of [...this.#marks.keys()].reverse()) this.#endMark(mark)
    const isInItem = this.#lists.length > 0
    this.#out = this.#out.replace(/[ \t]+$/, '')
    if (this.#out === '' || /(^|\n)\s*(-|\d+\.)$/.test(this.#out)) {
      if (this.#out !== '') this.#write(' ')
      return
    }
    if (isParagraph && !isInItem && !this.#out.endsWith('\n\n'))
      this.#write(this.#out.endsWith('\n') ? '\n' : '\n\n')
    else if (!this.#out.endsWith('\n')) this.#write('\n')
  }

  #beginItem(): void {
    const list = this.#lists.at(-1)
    if (list) list.count++
    const indent = '  '.repeat(Math.max(0, Math.min(this.#lists.length, LEVELS_MAX) - 1))
    this.#write(`${indent}${list?.isOrdered ? `${list.count}.` : '-'} `)
  }

  /** A mark around nothing goes again, and stands beside its text, not beside a space. */
  #endMark(mark: string): void {
    const start = this.#marks.get(mark)
    if (start === undefined) return
    this.#marks.delete(mark)
    const inside = this.#out.slice(start)
    const trimmed = inside.trim()
    const before = this.#out.slice(0, start - mark.length)
    if (trimmed === '') this.#out = before + inside
    else {
      const lead = inside.slice(0, inside.length - inside.trimStart().length)
      this.#out = before + lead + mark + trimmed + mark + inside.slice(inside.trimEnd().length)
    }
  }

  #endLink(): void {
    const link = this.#links.pop()
    if (!link?.url || link.at > this.#out.length) return
    const label = this.#out.slice(link.at)
    const text = label.trim().replaceAll(/[[\]]/g, '')
    if (text === '' || /\n|^!/.test(text) || text === link.url || `mailto:${text}` === link.url) return
    this.#out = `${this.#out.slice(0, link.at)}[${text}](${link.url})${label.endsWith(' ') ? ' ' : ''}`
  }

  #endQuote(): void {
    const outer = this.#outer.pop()
    if (outer === undefined) return
    const quoted = this.#out.trim().replaceAll('\n', '\n> ')
    this.#out = quoted === '' ? outer : `${outer}> ${quoted}\n\n`
  }
}

/** The address of a link that may lead somewhere. */
function safeUrl(href: string | undefined): string | undefined {
  const text = href?.trim() ?? ''
  if (text.length > 2_000 || !/^(https?:\/\/|mailto:)[^\s<>]+$/i.test(text) || !URL.canParse(text))
    return undefined
  return text.replaceAll('(', '%28').replaceAll(')', '%29')
}

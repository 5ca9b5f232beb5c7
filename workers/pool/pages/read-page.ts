/** Reads the title, description, site and picture of a web page, as pages state them for previews (Open Graph, Twitter). */

import { Parser } from 'htmlparser2'

/** The parts of a page; each empty if the page does not state it. */
export interface PageFacts {
  readonly title: string
  readonly description: string
  readonly siteName: string
  /** A whole address. */
  readonly imageUrl: string
}

/** A page as it was received. */
export interface PageToRead {
  readonly bytes: Uint8Array
  readonly contentType: string
  /** The address that answered. */
  readonly url: string
}

const TITLE_LENGTH_MAX = 200
const DESCRIPTION_LENGTH_MAX = 400
const SITE_LENGTH_MAX = 80
/** Longer addresses are not asked for. */
const URL_LENGTH_MAX = 2_000
/** Characters of a title before it is shortened: the rest of a page may be an open title. */
const RAW_LENGTH_MAX = 4_000
/** Bytes in which a page must state its encoding, by the HTML standard. */
const SNIFFED_BYTES = 1_024
/** Characters that are parsed at a time. */
const CHUNK_LENGTH = 4_096
/** Elements that may stand in a head; any other one ends it. A body may be hostile, and says nothing more. */
const HEAD_ELEMENTS = new Set('html head title meta link base script style noscript template'.split(' '))

/** Reads the head of a page. Never throws: any bytes are some page. */
export function readPage({ bytes, contentType, url }: PageToRead): PageFacts {
  const html = decode(bytes, contentType)
  const head = new HeadReader()
  const parser = new Parser({
    onopentag: (name, attributes) => head.open(name, attributes),
    ontext: (text) => head.text(text),
    onclosetag: (name) => head.close(name),
  })
  for (let at = 0; at < html.length && !head.isDone; at += CHUNK_LENGTH)
    parser.write(html.slice(at, at + CHUNK_LENGTH))
  if (!head.isDone) parser.end()
  const { found } = head
  const first = (...names: string[]) =>
    names.map((name) => found.get(name) ?? '').find((text) => text.trim() !== '') ?? ''
  return {
    title: tidy(first('og:title', 'twitter:title', 'title'), TITLE_LENGTH_MAX),
    description: tidy(first('og:description', 'twitter:description', 'description'), DESCRIPTION_LENGTH_MAX),
    siteName: tidy(first('og:site_name', 'application-name'), SITE_LENGTH_MAX),
    imageUrl: wholeUrl(
      first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
      head.base,
      url,
    ),
  }
}

/** One line without control characters and marks of direction, shortened to a length. */
export function tidy(text: string, lengthMax: number): string {
  const line = text
    .slice(0, RAW_LENGTH_MAX)
    .toWellFormed()
    .replaceAll(/[\p{Z}\p{Cc}]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Co}\p{Cn}]/gu, (character) => (character === '\u200d' ? character : ''))
    .trim()
  const characters = Array.from(line)
  return characters.length <= lengthMax
    ? line
    : `${characters
        .slice(0, lengthMax - 1)
        .join('')
        .trimEnd()}…`
}

/** The whole address of a picture; empty for none that the web has. */
function wholeUrl(address: string, base: string, pageUrl: string): string {
  const trimmed = address.trim()
  if (trimmed === '' || trimmed.length > URL_LENGTH_MAX) return ''
  const from = base !== '' && URL.canParse(base, pageUrl) ? new URL(base, pageUrl) : pageUrl
  if (!URL.canParse(trimmed, from)) return ''
  const { protocol, href } = new URL(trimmed, from)
  return (protocol === 'https:' || protocol === 'http:') && href.length <= URL_LENGTH_MAX ? href : ''
}

/** Text in the encoding that the headers, a mark of order, or the page states; else UTF-8. */
function decode(bytes: Uint8Array, contentType: string): string {
  const start = Buffer.from(bytes.subarray(0, SNIFFED_BYTES)).toString('latin1')
  const mark = start.startsWith('\xff\xfe')
    ? 'utf-16le'
    : start.startsWith('\xfe\xff')
      ? 'utf-16be'
      : undefined
  const stated =
    mark ?? /charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(contentType)?.[1] ?? statedIn(start) ?? 'utf-8'
  return decoderOf(stated).decode(bytes)
}

/** The encoding in a page's first bytes. One in two bytes cannot state itself so; the standard reads UTF-8 then. */
function statedIn(start: string): string | undefined {
  const label = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(start)?.[1]
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder() // Nobody knows the encoding.
  }
}

/** Elements that are read: long heads have some hundred. The parser takes longer for each one that stays open. */
const ELEMENTS_MAX = 2_000

/** Collects the statements of a head. */
class HeadReader {
  /** By the name of the statement, in lower case; the first one counts. */
  readonly found = new Map<string, string>()
  base = ''
  isDone = false
  #count = 0
  #title: string | undefined
  /** The open script, style or the like, whose content says nothing. */
  #skipped: string | undefined

  open(name: string, { property, name: metaName, itemprop, content, href }: Record<string, string>): void {
    if (this.isDone) return
    this.#count++
    if (this.#count > ELEMENTS_MAX) this.isDone = true
    if (this.#skipped !== undefined) return
    if (!HEAD_ELEMENTS.has(name)) {
      this.isDone = true
      return
    }
    if (name === 'title') this.#title ??= ''
    else if (name === 'base') this.base ||= href ?? ''
    else if (name === 'script' || name === 'style' || name === 'noscript' || name === 'template')
      this.#skipped = name
    else if (name === 'meta') {
      const key = (property ?? metaName ?? itemprop ?? '').trim().toLowerCase()
      if (key !== '' && content !== undefined && content.trim() !== '' && !this.found.has(key))
        this.found.set(key, content.slice(0, RAW_LENGTH_MAX))
    }
  }

  text(text: string): void {
    if (this.isDone || this.#skipped !== undefined || this.#title === undefined) return
    if (this.found.has('title')) return
    if (this.#title.length < RAW_LENGTH_MAX) this.#title += text
    else this.isDone = true
  }

  close(name: string): void {
    if (name === this.#skipped) this.#skipped = undefined
    else if (name === 'title' && this.#title !== undefined && !this.found.has('title'))
      this.found.set('title', this.#title)
    else if (name === 'head') this.isDone = true
  }
}

/** Writes Markdown around texts of others, which stay texts: none ends its link, its code or its quote. */

/** Lines of a quote: a message should not fill the screen. */
const QUOTED_LINES_MAX = 30
/** Characters of a quote. */
const QUOTED_LENGTH_MAX = 2_000
/** Characters of a text in a line, such as a title. */
const PLAIN_LENGTH_MAX = 500
/** Characters of an address: senders have some of two thousand. */
const ADDRESS_LENGTH_MAX = 2_000
/** Stands at the place of what was cut. */
export const CUT = '…'

/** Signs with a meaning: anywhere, doubled, before a word that gives them one, or at the start of a line. */
const SIGNS =
  /[`*[\]|]|\$(?=\$)|(?<=\$)\$|~(?=~)|(?<=~)~|<(?=time:)|&(?=#?\w+;)|^#(?=#*\s)|^>|^[+-](?=\s)|(?<=^\d{1,9})[.)](?=\s)/g

/** The start of a text, with a mark if it is cut. */
export function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const points = Array.from(text.slice(0, 2 * lengthMax))
  return points.length <= lengthMax
    ? text.slice(0, 2 * lengthMax)
    : `${points.slice(0, lengthMax - CUT.length).join('')}${CUT}`
}

/** The text in one line. */
export function inLine(text: string): string {
  // Only the start is searched: a payload may have a text of megabytes.
  const start = text.trimStart().slice(0, 4 * PLAIN_LENGTH_MAX)
  return cut(start.replaceAll(/\s+/g, ' ').trim(), PLAIN_LENGTH_MAX)
}

/** A text in one line, shown as it is: the dialect has no backslashes, so its signs become entities. */
export function plain(text: string): string {
  return inLine(text).replaceAll(SIGNS, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** A bold text. */
export function bold(text: string): string {
  const shown = plain(text)
  return shown === '' ? '' : `**${shown}**`
}

/** A text in code signs: as many as none of its own runs has. */
export function code(text: string): string {
  const line = inLine(text)
  if (line === '') return ''
  const longest = longestRun(line, '`')
  if (longest === 0) return `\`${line}\``
  const fence = '`'.repeat(longest + 1)
  return `${fence} ${line} ${fence}`
}

/** A link with a plain text; the text alone if the address is none. */
export function link(text: string, address: string): string {
  const shown = plain(text)
  const target = webAddress(address)
  if (target === undefined) return shown
  return `[${shown === '' ? plain(address) : shown}](${target})`
}

/** An HTTP address that is safe in parentheses; undefined for anything else. */
function webAddress(address: string): string | undefined {
  if (address.length > ADDRESS_LENGTH_MAX || !/^https?:\/\/[^/\s]/i.test(address)) return undefined
  const encoded = address.replaceAll(/[\s()<>[\]\\*`"'|]/g, (sign) => encodeSign(sign))
  return encoded.replaceAll(/&(?=#?\w+;)/g, '%26')
}

function encodeSign(sign: string): string {
  return Array.from(
    new TextEncoder().encode(sign),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('')
}

/**
 * A quote of others' Markdown, cut to some lines. Each line has the sign of the quote, so that no open fence goes beyond
 * it; write an empty line after it.
 */
export function quoted(text: string): string {
  const short = cut(text.trim(), QUOTED_LENGTH_MAX).replaceAll(/\r\n?/g, '\n')
  if (short === '') return ''
  const lines = short.split('\n')
  const shown = lines.length > QUOTED_LINES_MAX ? [...lines.slice(0, QUOTED_LINES_MAX), CUT] : lines
  return shown.map((line) => `> ${line}`.trimEnd()).join('\n')
}

/** A block of code: its fence is longer than any run in the text. */
export function fenced(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

function longestRun(text: string, sign: string): number {
  let longest = 0
  let run = 0
  for (const one of text) {
    run = one === sign ? run + 1 : 0
    if (run > longest) longest = run
  }
  return longest
}

/** Pieces that are not empty, each on a line of its own. */
export function lines(...pieces: readonly string[]): string {
  return pieces.filter((piece) => piece !== '').join('\n')
}

/** Pieces that are not empty, as paragraphs. */
export function paragraphs(...pieces: readonly string[]): string {
  return pieces.filter((piece) => piece !== '').join('\n\n')
}

/** Items of a list, and how many more there are. */
export function bullets(items: readonly string[], total = items.length): string {
  const more = total - items.length
  return [...items, ...(more > 0 ? [`and ${more} more`] : [])].map((item) => `* ${item}`).join('\n')
}

/** A number with its noun. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** A time of the dialect, which each reader sees in their own zone; empty for anything else. */
export function time(at: string): string {
  const ms = Date.parse(at)
  return Number.isNaN(ms) || ms <= 0 ? '' : `<time:${new Date(ms).toISOString()}>`
}

/** Reads fields of JSON that others wrote: each may be missing, or be anything. */

export type Fields = Readonly<Record<string, unknown>>

export function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** Characters that no text has: PostgreSQL stores no NUL, and translations use two that are no characters for themselves. */
const FORBIDDEN = ['\u0000', '\ufdd0', '\ufdd1']

export function toText(value: unknown): string {
  if (typeof value !== 'string') return ''
  return FORBIDDEN.reduce((text, character) => text.replaceAll(character, ''), value.toWellFormed())
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function toTexts(value: unknown): string[] {
  return toList(value).map(toText).filter(Boolean)
}

/** A positive number, also of a text such as `1700000000.000100`. */
export function toPositive(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : undefined
}

/** Characters of a record in the report. */
const DESCRIPTION_LENGTH = 80

/** The start of a record for the report: only plain values, since others may be nested without end. */
export function describe(fields: Fields): string {
  const plain = Object.entries(fields).filter(([, value]) => typeof value !== 'object')
  return JSON.stringify(Object.fromEntries(plain)).slice(0, DESCRIPTION_LENGTH)
}

/** The start of a text, in characters. */
export function cutText(text: string, lengthMax: number): string {
  return Array.from(text).slice(0, lengthMax).join('').trim()
}

/** The first text that is not empty. */
export function firstText(...values: readonly unknown[]): string {
  for (const value of values) {
    const text = toText(value).trim()
    if (text !== '') return text
  }
  return ''
}

/** An address without its query and fragment, where tokens are; undefined if it is none of the web. */
export function plainAddress(value: unknown): string | undefined {
  const text = toText(value)
  if (!URL.canParse(text)) return undefined
  const { protocol, origin, pathname } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? `${origin}${pathname}` : undefined
}

/**
 * The texts of one language. A text is named by its English words, so English needs no catalogue, and a text without a
 * translation appears in English.
 */

import { fillParts, readText, type Values } from './icu.ts'

/** Translations by English text; texts with a context are under `contextual`. */
export type Catalogue = Readonly<Record<string, string>>

/** The name of a text in a catalogue: English words with several meanings have a context. */
export function contextual(context: string, text: string): string {
  return `${context}\u0004${text}`
}

/** Marks a text that is shown elsewhere, by `t`, so that it is found for the catalogues. */
export function textId(text: string): string {
  return text
}

export interface Texts {
  /** For `Intl`, as in BCP 47. */
  readonly locale: string
  /** Without values, braces are plain characters. */
  readonly t: (text: string, values?: Values, context?: string) => string
}

/** `mark` gets the texts without a translation, whose direction may be another one than that of the page. */
export function openTexts(
  locale: string,
  catalogue: Catalogue = {},
  mark: (text: string) => string = (text) => text,
): Texts {
  /** The texts of the code only, so their number bounds it. */
  const read = new Map<string, ReturnType<typeof readText>>()
  const fill = (text: string, values: Values | undefined) => {
    if (!values) return text
    let parts = read.get(text)
    if (!parts) read.set(text, (parts = readText(text)))
    return fillParts(parts, values, locale)
  }
  return {
    locale,
    t: (text, values, context) => {
      const found = catalogue[context === undefined ? text : contextual(context, text)]
      const filled = fill(found ?? text, values)
      return found === undefined ? mark(filled) : filled
    },
  }
}

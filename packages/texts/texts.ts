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

export function openTexts(locale: string, catalogue: Catalogue = {}): Texts {
  /** The texts of the code only, so their number bounds it. */
  const read = new Map<string, ReturnType<typeof readText>>()
  return {
    locale,
    t: (text, values, context) => {
      const found = catalogue[context === undefined ? text : contextual(context, text)] ?? text
      if (!values) return found
      let parts = read.get(found)
      if (!parts) read.set(found, (parts = readText(found)))
      return fillParts(parts, values, locale)
    },
  }
}

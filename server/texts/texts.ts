/**
 * The texts of the server's pages, mails and notices. The English words in the code name a text: `t('Log in')`. Tests find
 * them in the source, so they stand there whole (docs/translating.md).
 */

import { readdirSync, readFileSync } from 'node:fs'
import { findLanguage, type LanguageCode, LANGUAGES } from '../../packages/texts/languages.ts'
import { catalogueOf } from '../../packages/texts/read-po.ts'
import { openTexts, type Texts } from '../../packages/texts/texts.ts'

/** The texts in one language. */
export interface ServerTexts extends Texts {
  readonly language: LanguageCode
  readonly direction: 'ltr' | 'rtl'
}

const CATALOGUES = new URL('catalogues/', import.meta.url)

/** English, and the languages with a catalogue. They are read once, with the process: each takes some 300 KB. */
const ALL: Readonly<Partial<Record<string, ServerTexts>>> = Object.fromEntries(
  ['en', ...readdirSync(CATALOGUES).map((name) => name.replace('.po', ''))].map((code) => [code, open(code)]),
)

function open(code: string): ServerTexts {
  const language = code as LanguageCode
  const catalogue = code === 'en' ? {} : catalogueOf(readFileSync(new URL(`${code}.po`, CATALOGUES), 'utf8'))
  return { ...openTexts(code, catalogue), language, direction: LANGUAGES[language].direction }
}

export const ENGLISH = ALL.en as ServerTexts

/** The texts in the first of some languages that has some, by tags of BCP 47; English if none has. */
export function textsIn(...wanted: readonly string[]): ServerTexts {
  return ALL[findLanguage(wanted, ALL)] ?? ENGLISH
}

/** All of them, for parts that prepare something for each language. */
export const ALL_TEXTS: readonly ServerTexts[] = Object.values(ALL).filter((one) => one !== undefined)

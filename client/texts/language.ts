/**
 * The language of the page: that of the person, which the device holds, of the organization, or of the browser. So the page
 * asks for its catalogue with its first script; its language never changes, and another choice loads it again.
 */

import { findLanguage, type LanguageCode, LANGUAGES } from '../../packages/texts/languages.ts'
import type { Catalogue } from '../../packages/texts/texts.ts'

/** The addresses of the catalogues; `client/build.ts` fills them in. */
declare const CATALOGUES: Readonly<Partial<Record<LanguageCode, string>>>

export const KEY = 'parley-language'

/** Scripts without a page, such as tests, are in English. */
const page = (
  globalThis as { readonly document?: { readonly documentElement: { lang: string; dir: string } } }
).document

/** Without a choice of the person. The server writes a language that the organization has chosen into the page. */
const wanted = page ? [page.documentElement.lang, ...navigator.languages] : []

export const language: LanguageCode = page ? languageWith(storedLanguage()) : 'en'

/** As the browser writes dates and numbers, if that is the same language: `navigator.language` may be no valid tag. */
const { locale: browsers } = new Intl.DateTimeFormat().resolvedOptions()
export const locale: string = page && browsers.split('-')[0] === language ? browsers : language

/** Its texts, before the page's script runs; undefined for English. */
export const loaded: { catalogue: Catalogue | undefined } = { catalogue: undefined }

/** Settles at once for English. Without an answer of the server the page is in English, too. */
export const textsAreThere: Promise<void> = page ? openLanguage(page.documentElement) : Promise.resolve()

async function openLanguage(root: { lang: string; dir: string }): Promise<void> {
  root.lang = language
  root.dir = LANGUAGES[language].direction
  const address = CATALOGUES[language]
  if (address === undefined) return
  try {
    const response = await fetch(address)
    if (response.ok) loaded.catalogue = (await response.json()) as Catalogue
  } catch {
    // The page is in English.
  }
}

export function storedLanguage(): string {
  try {
    return localStorage.getItem(KEY) ?? ''
  } catch {
    return '' // The browser refuses storage.
  }
}

/** The language of a page on this device where the person has chosen one; empty for no choice. */
export function languageWith(choice: string): LanguageCode {
  return findLanguage([choice, ...wanted])
}

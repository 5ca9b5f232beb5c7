/**
 * The language of the page. The device holds the choice of the person, so the page asks for its catalogue with its first
 * script; the language of a page never changes, and another choice loads it again.
 */

import { findLanguage, type LanguageCode, LANGUAGES } from '../../packages/texts/languages.ts'
import type { Catalogue } from '../../packages/texts/texts.ts'

/** The addresses of the catalogues; `client/build.ts` fills them in. */
declare const CATALOGUES: Readonly<Partial<Record<LanguageCode, string>>>

const KEY = 'parley-language'

/** Scripts without a page, such as tests, are in English. */
const page = (
  globalThis as { readonly document?: { readonly documentElement: { lang: string; dir: string } } }
).document

export const language: LanguageCode = page ? nextLanguage() : 'en'

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

function storedLanguage(): string {
  try {
    return localStorage.getItem(KEY) ?? ''
  } catch {
    return '' // The browser refuses storage.
  }
}

/** Holds the language on the device, for the next page. Returns whether that page will have another language. */
export function storeLanguage(code: string): boolean {
  const wanted = findLanguage([code])
  try {
    // The language of the browser needs no note.
    if (wanted === findLanguage(navigator.languages)) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, wanted)
  } catch {
    // The browser refuses storage: the language of the browser stays.
  }
  return nextLanguage() === wanted && wanted !== language
}

function nextLanguage(): LanguageCode {
  return findLanguage([storedLanguage(), ...navigator.languages])
}

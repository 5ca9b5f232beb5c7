/** Holds the language of a person on the device, where the next page finds it. */

import { findLanguage } from '../../packages/texts/languages.ts'
import { KEY, language, languageWith, storedLanguage } from './language.ts'

/** Returns whether the next page will have another language than this one. */
export function storeLanguage(code: string): boolean {
  const wanted = findLanguage([code])
  try {
    // The language of a page without a choice needs no note.
    if (wanted === languageWith('')) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, wanted)
  } catch {
    // The browser refuses storage: the language of the organization or the browser stays.
  }
  return languageWith(storedLanguage()) === wanted && wanted !== language
}

/** The languages that have a catalogue, and English. */

interface Language {
  /** In its own words. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
}

export type LanguageCode = 'en' | 'de' | 'he'

export const LANGUAGES: Readonly<Record<LanguageCode, Language>> = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  he: { name: 'עברית', direction: 'rtl' },
}

/** The first of some languages that is known, `de` for `de-AT`; English if none is. */
export function findLanguage(wanted: readonly string[], known: object = LANGUAGES): LanguageCode {
  const codes = wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '')
  return codes.find((code): code is LanguageCode => Object.hasOwn(known, code)) ?? 'en'
}

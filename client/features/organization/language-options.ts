/** Languages to choose from, named in themselves. */

const CODES = [
  'ar',
  'bg',
  'ca',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'en-GB',
  'es',
  'fa',
  'fi',
  'fr',
  'he',
  'hi',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'nl',
  'no',
  'pl',
  'pt',
  'pt-BR',
  'ro',
  'ru',
  'sv',
  'tr',
  'uk',
  'vi',
  'zh-Hans',
  'zh-Hant',
]

/** The options by name, with the present language. */
export function languageOptions(current = 'en'): readonly (readonly [code: string, name: string])[] {
  return [...new Set([...CODES, current])]
    .map((code) => [code, nameOf(code)] as const)
    .sort((a, b) => a[1].localeCompare(b[1]))
}

function nameOf(code: string): string {
  try {
    return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  } catch {
    // The browser does not read this code; people still see what is set.
    return code
  }
}

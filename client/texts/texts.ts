/**
 * The texts of the page. The English words in the code name a text: `t('Mark as read')`. Tests find them in the source, so
 * they stand there whole (docs/translating.md).
 */

import { openTexts } from '../../packages/texts/texts.ts'
import { LANGUAGES } from '../../packages/texts/languages.ts'
import { language, loaded, locale } from './language.ts'

/** Whether the page runs from right to left. */
const isRightToLeft = LANGUAGES[language].direction === 'rtl'

/** Words of the other direction, such as a time or an English text, with their parts in order on a page from right to left. */
export function inOwnDirection(text: string): string {
  return isRightToLeft && text !== '' ? `\u2068${text}\u2069` : text
}

/** The catalogue is there before any module runs: so also constants of modules are in the language of the page. */
export const { t } = openTexts(locale, loaded.catalogue, inOwnDirection)

export { locale }

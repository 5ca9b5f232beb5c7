/**
 * The texts of the page. The English words in the code name a text: `t('Mark as read')`. Tests find them in the source, so
 * they stand there whole (docs/translating.md).
 */

import { openTexts } from '../../packages/texts/texts.ts'
import { loaded, locale } from './language.ts'

/** The catalogue is there before any module runs: so also constants of modules are in the language of the page. */
export const { t } = openTexts(locale, loaded.catalogue)

export { locale }

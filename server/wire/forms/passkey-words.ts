/** The words of the script that asks for passkeys. */

import { PASSKEY_WORDS } from '../../../packages/look/log-in-form.ts'
import { type Html, html } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'

/** They stand in attributes: a script in a file of its own serves all languages. */
export function passkeyWords({ t }: PageTexts): Html {
  const unused = t(PASSKEY_WORDS.unused)
  const refused = t(PASSKEY_WORDS.refused)
  const silent = t(PASSKEY_WORDS.silent)
  const onward = t('Continue in the app')
  return html` data-unused="${unused}" data-refused="${refused}" data-silent="${silent}" data-onward="${onward}"`
}

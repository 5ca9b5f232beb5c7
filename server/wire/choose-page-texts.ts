/** The language of a page: that of its person, of the organization, or of the browser. */

import type { Exchange } from '../api/door/exchange.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { readAcceptedLanguages } from '../texts/accepted-languages.ts'
import { type PageTexts, pageTextsIn } from './page-texts.ts'

/** Organizations have it until they choose another one, so it does not say that they want it. */
const UNCHOSEN = 'en'

/** Without a session, an organization that has chosen no language leaves it to the browser. */
export function choosePageTexts(
  state: OrganizationState,
  { cookies }: Exchange,
  { acceptLanguage }: { readonly acceptLanguage: string },
): PageTexts {
  const session = cookies.findSession()
  const own = session ? [state.settingsOf(session.userId).defaultLanguage] : []
  const { defaultLanguage } = state.settings
  const organizations = defaultLanguage === UNCHOSEN ? [] : [defaultLanguage]
  return pageTextsIn(...own, ...organizations, ...readAcceptedLanguages(acceptLanguage))
}

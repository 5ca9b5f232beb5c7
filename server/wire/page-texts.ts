/** The texts of a page for people, in its language. */

import type { Values } from '../../packages/texts/icu.ts'
import { findLanguage, type LanguageCode } from '../../packages/texts/languages.ts'
import { ALL_TEXTS, ENGLISH, type ServerTexts, textsIn } from '../texts/texts.ts'
import { Html, html } from './html.ts'
import type { Exchange } from '../api/door/exchange.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { readAcceptedLanguages } from '../texts/accepted-languages.ts'

/** Puts an element around a part of a text. */
type Wrap = (inside: Html) => Html

/** The texts for a page, also with elements inside. */
export interface PageTexts extends ServerTexts {
  /** `markup('Read <0>the guide</0>', {}, [link])`: the first element stands around its text; values are no markup. */
  readonly markup: (text: string, values: Values, elements: readonly Wrap[]) => Html
}

/** Stands for `<` in a value, so that a value is never read as an element. */
const BRACKET = '\uE000'

/** By language. */
const PAGE_TEXTS: Readonly<Partial<Record<string, PageTexts>>> = Object.fromEntries(
  ALL_TEXTS.map((texts) => [texts.language, withMarkup(texts)]),
)

function withMarkup(texts: ServerTexts): PageTexts {
  return {
    ...texts,
    markup: (text, values, elements) => {
      const safe = Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.replaceAll('<', BRACKET) : value,
      ])
      return place(texts.t(text, Object.fromEntries(safe) as Values), elements)
    },
  }
}

function place(text: string, elements: readonly Wrap[]): Html {
  const parts: Html[] = []
  let at = 0
  const add = (plain: string) => parts.push(html`${plain.replaceAll(BRACKET, '<')}`)
  for (const match of text.matchAll(/<(\d+)>(.*?)<\/\1>/gs)) {
    const [whole, index, inside = ''] = match
    add(text.slice(at, match.index))
    const wrap = elements[Number(index)]
    if (wrap) parts.push(wrap(place(inside, elements)))
    at = match.index + whole.length
  }
  add(text.slice(at))
  return html`${parts}`
}

const ENGLISH_PAGE = withMarkup(ENGLISH)

/** The texts in the first of these languages that has some. */
export function pageTextsIn(...wanted: readonly string[]): PageTexts {
  return PAGE_TEXTS[textsIn(...wanted).language] ?? ENGLISH_PAGE
}

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
  return pageTextsIn(...own, chosenLanguage(state) ?? '', ...readAcceptedLanguages(acceptLanguage))
}

/** The language that the organization has chosen, if there are texts in it; else undefined. */
export function chosenLanguage({ settings }: OrganizationState): LanguageCode | undefined {
  const language = findLanguage([settings.defaultLanguage])
  return language === UNCHOSEN ? undefined : language
}

/** The initial state of the organization's lists. */

import { viewEmailDomain, viewLinkifier, viewPlayground } from '../../views/organization-lists-view.ts'
import type { Fields, RegistrationContext } from './context.ts'

/** `realm_linkifiers`: empty for clients that do not handle templates. */
export function fetchLinkifiers({ services: { state }, options }: RegistrationContext): Fields {
  const { entries } = state.linkifiers
  return { realm_linkifiers: options.hasLinkifierTemplates ? entries.map(viewLinkifier) : [] }
}

/** `realm_playgrounds`. */
export function fetchPlaygrounds({ services: { state }, options }: RegistrationContext): Fields {
  const { entries } = state.playgrounds
  return { realm_playgrounds: entries.map((one) => viewPlayground(one, options.languageAlias)) }
}

/** `realm_domains`. */
export function fetchEmailDomains({ services: { state } }: RegistrationContext): Fields {
  return { realm_domains: state.emailDomains.map(viewEmailDomain) }
}

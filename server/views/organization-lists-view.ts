/** Linkifiers, playgrounds and domains as clients see them. */

import type { EmailDomain, Linkifier, Playground } from '../domain/organization-lists.ts'

export function viewLinkifier(linkifier: Linkifier) {
  return {
    pattern: linkifier.pattern,
    url_template: linkifier.urlTemplate,
    id: linkifier.id,
    example_input: linkifier.exampleInput,
    reverse_template: linkifier.reverseTemplate,
    alternative_url_templates: linkifier.alternativeUrlTemplates,
  }
}

/** A playground; its language stands under `alias`, too, where that is given. */
export function viewPlayground({ id, name, language, urlTemplate }: Playground, alias: string | undefined) {
  return {
    id,
    name,
    highlighter_language: language,
    ...(alias === undefined ? {} : { [alias]: language }),
    url_template: urlTemplate,
  }
}

export function viewEmailDomain({ domain, allowsSubdomains }: EmailDomain) {
  return { domain, allow_subdomains: allowsSubdomains }
}

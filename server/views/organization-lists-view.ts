/** Linkifiers, playgrounds, groups of default channels, and domains for clients. */

import type {
  ChannelGroup,
  EmailDomain,
  Linkifier,
  Playground,
} from '../domain/organization/organization-lists.ts'
import {
  arrayOf,
  BOOLEAN,
  INTEGER,
  orNull,
  record,
  type Schema,
  STRING,
  type ValueOf,
} from '../domain/json-schema.ts'

/** Schema of `viewLinkifier`. */
export const LINKIFIER = record({
  pattern: STRING,
  url_template: STRING,
  id: INTEGER,
  example_input: orNull(STRING),
  reverse_template: orNull(STRING),
  alternative_url_templates: arrayOf(STRING),
})

/** Schema of `viewPlayground`; the language may have a second name. */
export const PLAYGROUND: Schema<{
  readonly id: number
  readonly name: string
  readonly highlighter_language: string
  readonly url_template: string
}> = {
  ...record({ id: INTEGER, name: STRING, highlighter_language: STRING, url_template: STRING }),
  additionalProperties: STRING,
}

/** Schema of `viewChannelGroup`. */
export const CHANNEL_GROUP = record({
  id: INTEGER,
  name: STRING,
  description: STRING,
  streams: arrayOf(INTEGER),
})

/** Schema of `viewEmailDomain`. */
export const EMAIL_DOMAIN = record({ domain: STRING, allow_subdomains: BOOLEAN })

export function viewLinkifier(linkifier: Linkifier): ValueOf<typeof LINKIFIER> {
  return {
    pattern: linkifier.pattern,
    url_template: linkifier.urlTemplate,
    id: linkifier.id,
    example_input: linkifier.exampleInput,
    reverse_template: linkifier.reverseTemplate,
    alternative_url_templates: linkifier.alternativeUrlTemplates,
  }
}

/** A playground; if `alias` is given, its language also has that name. */
export function viewPlayground(
  { id, name, language, urlTemplate }: Playground,
  alias: string | undefined,
): ValueOf<typeof PLAYGROUND> {
  return {
    id,
    name,
    highlighter_language: language,
    ...(alias === undefined ? {} : { [alias]: language }),
    url_template: urlTemplate,
  }
}

export function viewChannelGroup({
  id,
  name,
  description,
  channelIds,
}: ChannelGroup): ValueOf<typeof CHANNEL_GROUP> {
  return { id, name, description, streams: channelIds }
}

export function viewEmailDomain({ domain, allowsSubdomains }: EmailDomain): ValueOf<typeof EMAIL_DOMAIN> {
  return { domain, allow_subdomains: allowsSubdomains }
}

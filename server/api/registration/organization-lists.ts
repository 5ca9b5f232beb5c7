/** The initial state of the organization's lists. */

import { arrayOf, mapOf } from '../../domain/json-schema.ts'
import { CUSTOM_EMOJI, viewCustomEmoji } from '../../views/custom-emoji-view.ts'
import {
  EMAIL_DOMAIN,
  LINKIFIER,
  PLAYGROUND,
  viewEmailDomain,
  viewLinkifier,
  viewPlayground,
} from '../../views/organization-lists-view.ts'
import { PROFILE_FIELD, PROFILE_FIELD_TYPES_VIEW, viewProfileField } from '../../views/profile-field-view.ts'
import { NUMBERED_CHOICES } from '../../views/numbered-choices.ts'
import { statePart } from './state-part.ts'

/** `realm_linkifiers`. */
export const linkifiers = statePart({
  fields: {
    realm_linkifiers: {
      schema: arrayOf(LINKIFIER),
      description:
        'The linkifiers, in the order in which they apply; empty for clients without `linkifier_url_template`.',
    },
  },
  fetch: ({ services: { state }, options }) => ({
    realm_linkifiers: options.hasLinkifierTemplates ? state.linkifiers.entries.map(viewLinkifier) : [],
  }),
})

/** `realm_playgrounds`. */
export const playgrounds = statePart({
  fields: {
    realm_playgrounds: { schema: arrayOf(PLAYGROUND), description: 'The code playgrounds.' },
  },
  fetch: ({ services: { state }, options }) => ({
    realm_playgrounds: state.playgrounds.entries.map((one) => viewPlayground(one, options.languageAlias)),
  }),
})

/** `realm_domains`. */
export const emailDomains = statePart({
  fields: {
    realm_domains: {
      schema: arrayOf(EMAIL_DOMAIN),
      description: "The organization's email domains, in the order of their creation.",
    },
  },
  fetch: ({ services: { state } }) => ({ realm_domains: state.emailDomains.map(viewEmailDomain) }),
})

/** `realm_emoji`. */
export const customEmoji = statePart({
  fields: {
    realm_emoji: {
      schema: mapOf(CUSTOM_EMOJI),
      description: 'All custom emoji that the organization has had, by id.',
    },
  },
  fetch: ({ services: { state } }) => ({ realm_emoji: viewCustomEmoji(state.emoji) }),
})

/** `custom_profile_fields`. */
export const profileFields = statePart({
  fields: {
    custom_profile_fields: { schema: arrayOf(PROFILE_FIELD), description: 'The profile fields, in order.' },
    custom_profile_field_types: {
      schema: NUMBERED_CHOICES,
      description: 'The types that a profile field may have.',
    },
  },
  fetch: ({ services: { state } }) => ({
    custom_profile_fields: state.profileFields.map(viewProfileField),
    custom_profile_field_types: PROFILE_FIELD_TYPES_VIEW,
  }),
})

/** The events of the organization and of its lists, as clients get them. */

import type { OrganizationEvent } from '../../domain/events/organization.ts'
import { NO_PICTURES } from '../../domain/organization/organization-pictures.ts'
import { CUSTOM_EMOJI, viewCustomEmoji, viewCustomEmojiChange } from '../custom-emoji-view.ts'
import {
  EMAIL_DOMAIN,
  LINKIFIER,
  PLAYGROUND,
  viewEmailDomain,
  viewLinkifier,
  viewPlayground,
} from '../organization-lists-view.ts'
import { ORGANIZATION_CHANGE, viewOrganizationChange } from '../organization-view.ts'
import { PICTURE_FIELDS, PICTURE_NAMES, viewOrganizationPicture } from '../organization-pictures-view.ts'
import { PROFILE_FIELD, viewProfileField } from '../profile-field-view.ts'
import { LANGUAGE_FIELDS, SETTING_CHANGE_FIELDS, viewSettingChange } from '../setting-change-view.ts'
import { eventOf, type EventSchemas, type EventViews, opEventOf } from './event-context.ts'
import { anyOf, arrayOf, BOOLEAN, INTEGER, mapOf, oneOf, record, STRING } from '../../domain/json-schema.ts'

/** The events of the organization and of its lists. */
export const ORGANIZATION_EVENTS = {
  'realm/update_dict': opEventOf(
    'realm/update_dict',
    'Settings or permissions of the organization changed.',
    {
      property: oneOf('default'),
      data: ORGANIZATION_CHANGE,
    },
  ),
  'realm/picture': opEventOf('realm/update_dict', 'The icon or a logo of the organization changed.', {
    property: oneOf(...Object.values(PICTURE_NAMES)),
    data: record({}, PICTURE_FIELDS),
  }),
  realm_linkifiers: eventOf('realm_linkifiers', 'The linkifiers changed.', {
    realm_linkifiers: arrayOf(LINKIFIER),
  }),
  realm_playgrounds: eventOf('realm_playgrounds', 'The code playgrounds changed.', {
    realm_playgrounds: arrayOf(PLAYGROUND),
  }),
  'realm_domains/add': opEventOf('realm_domains/add', 'An email domain was added.', {
    realm_domain: EMAIL_DOMAIN,
  }),
  'realm_domains/change': opEventOf('realm_domains/change', 'An email domain changed.', {
    realm_domain: EMAIL_DOMAIN,
  }),
  'realm_domains/remove': opEventOf('realm_domains/remove', 'An email domain was removed.', {
    domain: STRING,
  }),
  'realm_user_settings_defaults/update': opEventOf(
    'realm_user_settings_defaults/update',
    'A default setting of new users changed.',
    SETTING_CHANGE_FIELDS,
    LANGUAGE_FIELDS,
  ),
  'realm_emoji/update': anyOf(
    opEventOf(
      'realm_emoji/update',
      'The custom emoji changed; for clients without `individual_emoji_changes`.',
      { realm_emoji: mapOf(CUSTOM_EMOJI) },
    ),
    opEventOf('realm_emoji/add', 'A custom emoji was added.', { emoji: CUSTOM_EMOJI }),
    opEventOf('realm_emoji/update_one', 'A custom emoji was deactivated.', {
      emoji_id: STRING,
      data: record({ deactivated: BOOLEAN }),
    }),
  ),
  custom_profile_fields: eventOf('custom_profile_fields', 'The profile fields changed.', {
    fields: arrayOf(PROFILE_FIELD),
  }),
  restart: eventOf(
    'restart',
    'The server restarted or was upgraded.',
    { server_generation: INTEGER },
    { service_version: STRING, service_merge_base: STRING, service_feature_level: INTEGER },
  ),
} satisfies EventSchemas<OrganizationEvent>

/** The views of the organization. */
export const ORGANIZATION_EVENT_VIEWS: EventViews<OrganizationEvent, typeof ORGANIZATION_EVENTS> = {
  'realm/update_dict': ({ changes }, { state }) => {
    const data = viewOrganizationChange(changes, state.rights.activeUsers)
    return { type: 'realm', op: 'update_dict', property: 'default', data }
  },
  'realm/picture': ({ which, pictureId }) => ({
    type: 'realm',
    op: 'update_dict',
    property: PICTURE_NAMES[which],
    data: viewOrganizationPicture({ ...NO_PICTURES, [which]: pictureId }, which),
  }),
  realm_linkifiers: ({ type, linkifiers }) => ({ type, realm_linkifiers: linkifiers.map(viewLinkifier) }),
  realm_playgrounds: ({ type, playgrounds }, { options }) => ({
    type,
    realm_playgrounds: playgrounds.map((one) => viewPlayground(one, options.languageAlias)),
  }),
  'realm_domains/add': ({ domain }) => ({
    type: 'realm_domains',
    op: 'add',
    realm_domain: viewEmailDomain(domain),
  }),
  'realm_domains/change': ({ domain }) => ({
    type: 'realm_domains',
    op: 'change',
    realm_domain: viewEmailDomain(domain),
  }),
  'realm_domains/remove': ({ domain }) => ({ type: 'realm_domains', op: 'remove', domain: domain.domain }),
  'realm_user_settings_defaults/update': ({ change }) => ({
    type: 'realm_user_settings_defaults',
    op: 'update',
    ...viewSettingChange(change),
  }),
  'realm_emoji/update': ({ emoji }, { state, options }) => ({
    type: 'realm_emoji',
    ...(options.hasEmojiChanges
      ? viewCustomEmojiChange(emoji)
      : { op: 'update', realm_emoji: viewCustomEmoji(state.emoji) }),
  }),
  custom_profile_fields: ({ type, fields }) => ({ type, fields: fields.map(viewProfileField) }),
  restart: ({ type, facts, generation }) => ({ type, ...facts, server_generation: generation.number }),
}

/** What clients are told of what happens to the organization, and to the lists that belong to it. */

import type { OrganizationEvent } from '../../domain/events/organization.ts'
import { viewCustomEmoji, viewCustomEmojiChange } from '../custom-emoji-view.ts'
import { viewEmailDomain, viewLinkifier, viewPlayground } from '../organization-lists-view.ts'
import { viewOrganizationChange } from '../organization-view.ts'
import { viewProfileField } from '../profile-field-view.ts'
import { viewSettingChange } from '../settings-view.ts'
import type { EventViews } from './event-context.ts'

/** The views of what happens to the organization. */
export const ORGANIZATION_EVENT_VIEWS: EventViews<OrganizationEvent> = {
  'realm/update_dict': ({ changes }, { state }) => {
    const data = viewOrganizationChange(changes, state.rights.activeUsers)
    return { type: 'realm', op: 'update_dict', property: 'default', data }
  },
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

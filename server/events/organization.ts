/** The organization as a whole, its server, and its lists. */

import { storeScimToken } from '../../db/accounts/scim-token.ts'
import { storeCustomEmoji } from '../../db/organization/custom-emoji.ts'
import { storeRelayAnswer } from '../../db/notifications/relay-state.ts'
import { storeExport } from '../../db/organization/exports.ts'
import { storeImport } from '../../db/imports/organization-imports.ts'
import { removeEmailDomain, storeEmailDomain, storeList } from '../../db/organization/organization-lists.ts'
import {
  storeGeneration,
  storeNewUserSetting,
  storeOrganization,
  storeOrganizationChange,
  storeOrganizationPicture,
} from '../../db/organization/organization.ts'
import { storeProfileFields } from '../../db/organization/profile-fields.ts'
import { administrators, everyone, owners } from '../audience/notifier.ts'
import type { EventOf } from '../domain/events.ts'
import type { OrganizationFact, OrganizationNotice } from '../domain/events/organization.ts'
import type { Generation } from '../domain/generation.ts'
import { completePermissions, ORGANIZATION_PERMISSIONS } from '../domain/groups/permissions.ts'
import { anyOf, arrayOf, BOOLEAN, INTEGER, mapOf, oneOf, record, STRING } from '../domain/json-schema.ts'
import { EXPORT_KINDS, exportsOfAll, withExport } from '../domain/organization/exports.ts'
import { IMPORT_PHASES, IMPORT_PRODUCTS, withImport } from '../domain/organization/imports.ts'
import { withEntries } from '../domain/organization/organization-lists.ts'
import { NO_PICTURES } from '../domain/organization/organization-pictures.ts'
import { ORGANIZATION_SETTINGS_DEFAULTS } from '../domain/organization/organization-settings.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { CUSTOM_EMOJI, viewCustomEmoji, viewCustomEmojiChange } from '../views/custom-emoji-view.ts'
import { EXPORT, OWN_EXPORT, viewExport, viewOwnExport } from '../views/export-view.ts'
import { IMPORT, viewImport } from '../views/import-view.ts'
import {
  EMAIL_DOMAIN,
  LINKIFIER,
  PLAYGROUND,
  viewEmailDomain,
  viewLinkifier,
  viewPlayground,
} from '../views/organization-lists-view.ts'
import {
  PICTURE_FIELDS,
  PICTURE_NAMES,
  viewOrganizationPicture,
} from '../views/organization-pictures-view.ts'
import { ORGANIZATION_CHANGE, viewOrganizationChange } from '../views/organization-view.ts'
import { PROFILE_FIELD, viewProfileField } from '../views/profile-field-view.ts'
import { SETTING_CHANGE, viewSettingChange } from '../views/setting-change-view.ts'
import { audited, withoutHtml } from './audited.ts'
import { type Entries, fact, notice, silent } from './entry.ts'
import { eventSchema, shown, shownAs, shownWhole } from './view.ts'

const CHANGED = shownAs(
  'realm/update_dict',
  'Settings or permissions of the organization changed.',
  record({ property: oneOf('default'), data: ORGANIZATION_CHANGE }),
  ({ changes }: EventOf<'realm/update_dict' | 'realm/update_shown'>, { state }) => ({
    property: 'default' as const,
    data: viewOrganizationChange(changes, state.rights.activeUsers),
  }),
)

const DOMAIN = record({ realm_domain: EMAIL_DOMAIN })
type DomainFact = EventOf<'realm_domains/add'>
const viewDomain = ({ domain }: Pick<DomainFact, 'domain'>) => ({ realm_domain: viewEmailDomain(domain) })
const AUDITED_DOMAIN = audited(({ domain }: DomainFact) => ({ domain }), DOMAIN, viewDomain)

function applyGeneration(state: OrganizationState, { generation }: { readonly generation: Generation }) {
  state.generation = generation
}

export const ORGANIZATION_EVENTS: Entries<OrganizationFact | OrganizationNotice> = {
  organization_created: silent({
    apply(state, { organization }) {
      // Entries of earlier releases lack later settings and permissions.
      state.organization = {
        ...organization,
        settings: { ...ORGANIZATION_SETTINGS_DEFAULTS, ...organization.settings },
        permissions: completePermissions(ORGANIZATION_PERMISSIONS, organization.permissions, null),
      }
    },
    store: (writes, _, { organization }) => storeOrganization(writes, organization),
    audit: audited(
      ({ organization: { name } }) => ({ name }),
      record({ name: STRING }),
      (part) => part,
    ),
  }),
  'realm/update_dict': fact({
    audience: everyone,
    apply(state, { changes }) {
      if (!state.organization) throw new Error('there is no organization to change')
      const { settings, permissions, ...texts } = changes
      state.organization = {
        ...state.organization,
        ...texts,
        settings: { ...state.organization.settings, ...settings },
        permissions: { ...state.organization.permissions, ...permissions },
      }
    },
    store: (writes, _, { changes }) => storeOrganizationChange(writes, changes),
    view: CHANGED,
    audit: audited(
      ({ changes }) => ({ changes: withoutHtml(changes) }),
      ORGANIZATION_CHANGE,
      ({ changes }, activeUsers) => viewOrganizationChange(changes, activeUsers),
    ),
  }),
  'realm/picture': fact({
    audience: everyone,
    apply(state, { which, pictureId }) {
      state.pictures = { ...state.pictures, [which]: pictureId }
    },
    store: (writes, _, { which, pictureId }) => storeOrganizationPicture(writes, which, pictureId),
    view: shownAs(
      'realm/update_dict',
      'The icon or a logo of the organization changed.',
      record({ property: oneOf(...Object.values(PICTURE_NAMES)), data: record({}, PICTURE_FIELDS) }),
      ({ which, pictureId }) => ({
        property: PICTURE_NAMES[which],
        data: viewOrganizationPicture({ ...NO_PICTURES, [which]: pictureId }, which),
      }),
    ),
    audit: audited(
      ({ which, pictureId }) => ({ which, isUploaded: pictureId !== null }),
      record({ picture: oneOf(...Object.values(PICTURE_NAMES)), uploaded: BOOLEAN }),
      ({ which, isUploaded }) => ({ picture: PICTURE_NAMES[which], uploaded: isUploaded }),
    ),
  }),
  'realm/update': fact({
    audience: everyone,
    apply(state, { reachesPhones }) {
      state.reachesPhones = reachesPhones
    },
    store: (writes, _, { reachesPhones }) => storeRelayAnswer(writes, reachesPhones),
    view: shown(
      'Phones get notifications of messages from now on, or no longer.',
      record({ property: oneOf('push_notifications_enabled'), value: BOOLEAN }),
      ({ reachesPhones }) => ({ property: 'push_notifications_enabled' as const, value: reachesPhones }),
    ),
  }),
  'realm/update_shown': notice({ view: CHANGED }),
  realm_linkifiers: fact({
    audience: everyone,
    apply(state, { linkifiers }) {
      state.linkifiers = withEntries(state.linkifiers, linkifiers)
    },
    store: (writes, _, { linkifiers }) => storeList(writes, 'linkifiers', linkifiers),
    view: shown(
      'The linkifiers changed.',
      record({ realm_linkifiers: arrayOf(LINKIFIER) }),
      ({ linkifiers }) => ({ realm_linkifiers: linkifiers.map(viewLinkifier) }),
    ),
    audit: audited(
      ({ linkifiers }) => ({ linkifiers }),
      record({ realm_linkifiers: arrayOf(LINKIFIER) }),
      ({ linkifiers }) => ({ realm_linkifiers: linkifiers.map(viewLinkifier) }),
    ),
  }),
  realm_playgrounds: fact({
    audience: everyone,
    apply(state, { playgrounds }) {
      state.playgrounds = withEntries(state.playgrounds, playgrounds)
    },
    store: (writes, _, { playgrounds }) => storeList(writes, 'playgrounds', playgrounds),
    view: shown(
      'The code playgrounds changed.',
      record({ realm_playgrounds: arrayOf(PLAYGROUND) }),
      ({ playgrounds }, { options }) => ({
        realm_playgrounds: playgrounds.map((one) => viewPlayground(one, options.languageAlias)),
      }),
    ),
    audit: audited(
      ({ playgrounds }) => ({ playgrounds }),
      record({ realm_playgrounds: arrayOf(PLAYGROUND) }),
      ({ playgrounds }) => ({ realm_playgrounds: playgrounds.map((one) => viewPlayground(one, undefined)) }),
    ),
  }),
  'realm_domains/add': fact({
    audience: everyone,
    apply(state, { domain }) {
      state.emailDomains = [...state.emailDomains, domain]
    },
    store: (writes, _, { domain }) => storeEmailDomain(writes, domain),
    view: shown('An email domain was added.', DOMAIN, viewDomain),
    audit: AUDITED_DOMAIN,
  }),
  'realm_domains/change': fact({
    audience: everyone,
    apply(state, { domain }) {
      state.emailDomains = state.emailDomains.map((one) => (one.id === domain.id ? domain : one))
    },
    store: (writes, _, { domain }) => storeEmailDomain(writes, domain),
    view: shown('An email domain changed.', DOMAIN, viewDomain),
    audit: AUDITED_DOMAIN,
  }),
  'realm_domains/remove': fact({
    audience: everyone,
    apply(state, { domain }) {
      state.emailDomains = state.emailDomains.filter(({ id }) => id !== domain.id)
    },
    store: (writes, _, { domain }) => removeEmailDomain(writes, domain.id),
    view: shown('An email domain was removed.', record({ domain: STRING }), ({ domain: { domain } }) => ({
      domain,
    })),
    audit: AUDITED_DOMAIN,
  }),
  'realm_user_settings_defaults/update': fact({
    audience: everyone,
    apply(state, { change: { name, value } }) {
      state.newUserSettings = { ...state.newUserSettings, [name]: value }
    },
    store: (writes, _, { change }) => storeNewUserSetting(writes, change),
    view: shown('A default setting of new users changed.', SETTING_CHANGE, ({ change }) =>
      viewSettingChange(change),
    ),
    audit: audited(
      ({ change }) => ({ change }),
      SETTING_CHANGE,
      ({ change }) => viewSettingChange(change),
    ),
  }),
  'realm_emoji/update': fact({
    audience: everyone,
    apply(state, { emoji }) {
      const others = state.emoji.filter(({ id }) => id !== emoji.id)
      state.emoji = [...others, emoji].sort((a, b) => a.id - b.id)
    },
    store: (writes, _, { emoji }) => storeCustomEmoji(writes, emoji),
    view: shownWhole(
      anyOf(
        eventSchema(
          'realm_emoji/update',
          'The custom emoji changed; for clients without `individual_emoji_changes`.',
          record({ realm_emoji: mapOf(CUSTOM_EMOJI) }),
        ),
        eventSchema('realm_emoji/add', 'A custom emoji was added.', record({ emoji: CUSTOM_EMOJI })),
        eventSchema(
          'realm_emoji/update_one',
          'A custom emoji was deactivated.',
          record({ emoji_id: STRING, data: record({ deactivated: BOOLEAN }) }),
        ),
      ),
      ({ emoji }, { state, options }) => ({
        type: 'realm_emoji' as const,
        ...(options.hasEmojiChanges
          ? viewCustomEmojiChange(emoji)
          : { op: 'update' as const, realm_emoji: viewCustomEmoji(state.emoji) }),
      }),
    ),
    audit: audited(
      ({ emoji }) => ({ emoji }),
      record({ emoji_id: INTEGER, name: STRING, author_id: INTEGER, deactivated: BOOLEAN }),
      ({ emoji: { id, name, authorId, isDeactivated } }) => ({
        emoji_id: id,
        name,
        author_id: authorId,
        deactivated: isDeactivated,
      }),
    ),
  }),
  realm_export: fact({
    audience: administrators,
    apply(state, event) {
      state.exports = withExport(state.exports, event.export)
    },
    store: (writes, _, event) => storeExport(writes, event.export),
    view: shown(
      'The exports of the organization changed.',
      record({ exports: arrayOf(EXPORT) }),
      (_, { state }) => ({ exports: exportsOfAll(state.exports).map(viewExport) }),
    ),
    audit: audited(
      ({ export: { id, kind, outcome } }) => ({ id, kind, phase: outcome.phase }),
      record({
        export_id: INTEGER,
        export_type: INTEGER,
        op: oneOf('pending', 'done', 'failed', 'deleted'),
      }),
      ({ id, kind, phase }) => ({ export_id: id, export_type: EXPORT_KINDS[kind], op: phase }),
    ),
  }),
  own_export: fact({
    apply(state, event) {
      state.exports = withExport(state.exports, event.export)
    },
    store: (writes, _, event) => storeExport(writes, event.export),
    view: shown(
      "An export of the user's own data was asked for, made, given up or deleted. This server's own.",
      record({ export: OWN_EXPORT }),
      (event) => ({ export: viewOwnExport(event.export) }),
    ),
    audit: audited(
      ({ export: { id, outcome } }) => ({ id, phase: outcome.phase }),
      record({ export_id: INTEGER, op: oneOf('pending', 'done', 'failed', 'deleted') }),
      ({ id, phase }) => ({ export_id: id, op: phase }),
    ),
  }),
  realm_export_consent: notice({
    view: shown(
      'A user allowed exports with their private data, or no longer does.',
      record({ user_id: INTEGER, consented: BOOLEAN }),
      ({ userId, isConsenting }) => ({ user_id: userId, consented: isConsenting }),
    ),
  }),
  realm_import: fact({
    audience: owners,
    apply(state, event) {
      state.imports = withImport(state.imports, event.import)
    },
    store: (writes, _, event) => storeImport(writes, event.import),
    view: shown('An import was begun, came further, or ended.', record({ import: IMPORT }), (event) => ({
      import: viewImport(event.import),
    })),
    audit: audited(
      ({ import: { id, product, channelNames, state } }) =>
        ('progress' in state && state.progress.step !== 'starting') ||
        (channelNames !== undefined && state.phase === 'checked') // Names alone: the start says that they count.
          ? undefined
          : { id, product, phase: state.phase },
      record({ import_id: INTEGER, product: oneOf(...IMPORT_PRODUCTS), op: oneOf(...IMPORT_PHASES) }),
      ({ id, product, phase }) => ({ import_id: id, product, op: phase }),
    ),
  }),
  custom_profile_fields: fact({
    audience: everyone,
    apply: (state, { fields }) => state.placeProfileFields(fields),
    store: (writes, _, { fields }) => storeProfileFields(writes, fields),
    view: shown('The profile fields changed.', record({ fields: arrayOf(PROFILE_FIELD) }), ({ fields }) => ({
      fields: fields.map(viewProfileField),
    })),
    audit: audited(
      ({ fields }) => ({ fields: fields.map(({ id, name }) => ({ id, name })) }),
      record({ fields: arrayOf(record({ id: INTEGER, name: STRING })) }),
      (part) => part,
    ),
  }),
  restart: fact({
    audience: everyone,
    apply: applyGeneration,
    store: (writes, _, { generation }) => storeGeneration(writes, generation),
    view: shown(
      'The server restarted or was upgraded.',
      record(
        { server_generation: INTEGER },
        { service_version: STRING, service_merge_base: STRING, service_feature_level: INTEGER },
      ),
      ({ facts, generation }) => ({ ...facts, server_generation: generation.number }),
    ),
  }),
  release_noted: silent({
    apply: applyGeneration,
    store: (writes, _, { generation }) => storeGeneration(writes, generation),
  }),
  scim_token_changed: silent({
    apply(state, { tokenHash }) {
      state.scimTokenHash = tokenHash
    },
    store: (writes, _, { tokenHash }) => storeScimToken(writes, tokenHash),
    audit: audited(
      ({ tokenHash }) => ({ isOn: tokenHash !== null }),
      record({ is_on: BOOLEAN }),
      ({ isOn }) => ({ is_on: isOn }),
    ),
  }),
  heartbeat: silent({}),
}

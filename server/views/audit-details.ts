/** The details of the audit log's entries: a schema for each kind, and its view. */

import type { AuditKind, AuditPart } from '../domain/users/audit.ts'
import {
  anyOf,
  arrayOf,
  BOOLEAN,
  INTEGER,
  oneOf,
  orNull,
  record,
  type Schema,
  STRING,
  type ValueOf,
} from '../domain/json-schema.ts'
import { REFUSALS } from '../domain/users/refusals.ts'
import { FACTOR_CHANGES } from '../domain/accounts/second-factors.ts'
import type { UserSet } from '../domain/users/user-set.ts'
import { CHANNEL_CHANGE_FIELDS, viewChannelChange } from './channel-view.ts'
import { USER_GROUP_CHANGE, viewGroupChange } from './group-view.ts'
import {
  EMAIL_DOMAIN,
  LINKIFIER,
  PLAYGROUND,
  viewEmailDomain,
  viewLinkifier,
  viewPlayground,
} from './organization-lists-view.ts'
import { ORGANIZATION_CHANGE, viewOrganizationChange } from './organization-view.ts'
import { PICTURE_NAMES } from './organization-pictures-view.ts'
import { LANGUAGE_FIELDS, SETTING_CHANGE_FIELDS, viewSettingChange } from './setting-change-view.ts'

const IDS = arrayOf(INTEGER)
const CHANNEL_USERS = record({ stream_ids: IDS, user_ids: IDS })
const GROUP_USERS = record({ group_id: INTEGER, user_ids: IDS })
const GROUP_SUBGROUPS = record({ group_id: INTEGER, direct_subgroup_ids: IDS })
const DOMAIN = record({ realm_domain: EMAIL_DOMAIN })
const USER_ID = record({ user_id: INTEGER })
const NAMED = record({ name: STRING })

/** The schema of the details by kind. */
export const AUDIT_DETAILS = {
  delete_message: record({ stream_id: orNull(INTEGER), message_ids: IDS }),
  update_message: record({
    stream_id: orNull(INTEGER),
    new_stream_id: orNull(INTEGER),
    topic_changed: BOOLEAN,
    message_ids: IDS,
  }),

  organization_created: NAMED,
  'realm/update_dict': ORGANIZATION_CHANGE,
  'realm/picture': record({ picture: oneOf(...Object.values(PICTURE_NAMES)), uploaded: BOOLEAN }),
  realm_linkifiers: record({ realm_linkifiers: arrayOf(LINKIFIER) }),
  realm_playgrounds: record({ realm_playgrounds: arrayOf(PLAYGROUND) }),
  'realm_domains/add': DOMAIN,
  'realm_domains/change': DOMAIN,
  'realm_domains/remove': DOMAIN,
  'realm_user_settings_defaults/update': record(SETTING_CHANGE_FIELDS, LANGUAGE_FIELDS),
  'realm_emoji/update': record({
    emoji_id: INTEGER,
    name: STRING,
    author_id: INTEGER,
    deactivated: BOOLEAN,
  }),
  custom_profile_fields: record({ fields: arrayOf(record({ id: INTEGER, name: STRING })) }),

  'realm_user/add': record({
    user_id: INTEGER,
    full_name: STRING,
    role: INTEGER,
    bot_type: orNull(INTEGER),
    bot_owner_id: orNull(INTEGER),
  }),
  'realm_user/update': record(
    { user_id: INTEGER, email_changed: BOOLEAN },
    {
      full_name: STRING,
      role: INTEGER,
      is_active: BOOLEAN,
      bot_owner_id: orNull(INTEGER),
      timezone: STRING,
      joined_at: INTEGER,
    },
  ),
  'realm_user/avatar': USER_ID,
  'realm_user/profile': record({ user_id: INTEGER, field_id: INTEGER }),
  bot_setup_changed: USER_ID,
  api_keys_changed: record({ user_id: INTEGER, key_count: INTEGER }),
  login_sessions_changed: record({ user_id: INTEGER, session_count: INTEGER }),
  password_set: USER_ID,
  second_factors_changed: record({ user_id: INTEGER, change: oneOf(...FACTOR_CHANGES) }),
  access_refused: record({
    refusal: oneOf(...REFUSALS),
    user_id: orNull(INTEGER),
    network: orNull(STRING),
    operation: orNull(STRING),
    count: INTEGER,
  }),

  'stream/create': record({ streams: arrayOf(record({ stream_id: INTEGER, name: STRING })) }),
  'stream/update': record(
    { stream_id: INTEGER, ...CHANNEL_CHANGE_FIELDS },
    { history_public_to_subscribers: BOOLEAN, is_web_public: BOOLEAN },
  ),
  default_streams: record({ default_streams: IDS }),
  'channel_folder/add': NAMED,
  'channel_folder/update': record(
    { channel_folder_id: INTEGER },
    { name: STRING, description: STRING, is_archived: BOOLEAN },
  ),
  'channel_folder/reorder': record({ order: IDS }),
  'subscription/add': CHANNEL_USERS,
  'subscription/remove': CHANNEL_USERS,

  'user_group/add': record({ group_id: INTEGER, name: STRING, members: IDS, direct_subgroup_ids: IDS }),
  'user_group/update': record({ group_id: INTEGER, data: USER_GROUP_CHANGE }),
  'user_group/add_members': GROUP_USERS,
  'user_group/remove_members': GROUP_USERS,
  'user_group/add_subgroups': GROUP_SUBGROUPS,
  'user_group/remove_subgroups': GROUP_SUBGROUPS,

  invites_changed: anyOf(
    record({
      op: oneOf('made', 'mailed'),
      inviter_id: INTEGER,
      role: INTEGER,
      stream_ids: IDS,
      group_ids: IDS,
      expires_at: orNull(INTEGER),
    }),
    record({ op: oneOf('revoked', 'resent', 'inviter_left'), inviter_id: INTEGER }, { invite_id: INTEGER }),
  ),
  invitation_used: record({ invite_id: INTEGER, user_id: INTEGER }),
} satisfies { readonly [Kind in AuditKind]: Schema }

type Details<Kind extends AuditKind> = ValueOf<(typeof AUDIT_DETAILS)[Kind]>

const viewChannelUsers = ({ channelIds, userIds }: AuditPart<'subscription/remove'>) => ({
  stream_ids: channelIds,
  user_ids: userIds,
})
const viewMembers = ({ groupId, userIds }: AuditPart<'user_group/add_members'>) => ({
  group_id: groupId,
  user_ids: userIds,
})
const viewSubgroups = ({ groupId, subgroupIds }: AuditPart<'user_group/add_subgroups'>) => ({
  group_id: groupId,
  direct_subgroup_ids: subgroupIds,
})
const viewDomain = ({ domain }: AuditPart<'realm_domains/add'>) => ({ realm_domain: viewEmailDomain(domain) })
const viewUserId = ({ userId }: AuditPart<'realm_user/avatar'>) => ({ user_id: userId })
const viewName = ({ name }: AuditPart<'organization_created'>) => ({ name })

/** The view of the details by kind. */
export const AUDIT_VIEWS: {
  readonly [Kind in AuditKind]: (part: AuditPart<Kind>, activeUsers: UserSet) => Details<Kind>
} = {
  delete_message: ({ channelId, messageIds }) => ({ stream_id: channelId, message_ids: messageIds }),
  update_message: ({ channelId, messageIds, toChannelId, hasNewTopic }) => ({
    stream_id: channelId,
    new_stream_id: toChannelId,
    topic_changed: hasNewTopic,
    message_ids: messageIds,
  }),

  organization_created: viewName,
  'realm/update_dict': ({ changes }, activeUsers) => viewOrganizationChange(changes, activeUsers),
  'realm/picture': ({ which, isUploaded }) => ({ picture: PICTURE_NAMES[which], uploaded: isUploaded }),
  realm_linkifiers: ({ linkifiers }) => ({ realm_linkifiers: linkifiers.map(viewLinkifier) }),
  realm_playgrounds: ({ playgrounds }) => ({
    realm_playgrounds: playgrounds.map((one) => viewPlayground(one, undefined)),
  }),
  'realm_domains/add': viewDomain,
  'realm_domains/change': viewDomain,
  'realm_domains/remove': viewDomain,
  'realm_user_settings_defaults/update': ({ change }) => viewSettingChange(change),
  'realm_emoji/update': ({ emoji: { id, name, authorId, isDeactivated } }) => ({
    emoji_id: id,
    name,
    author_id: authorId,
    deactivated: isDeactivated,
  }),
  custom_profile_fields: ({ fields }) => ({ fields }),

  'realm_user/add': ({ userId, fullName, role, botType, botOwnerId }) => ({
    user_id: userId,
    full_name: fullName,
    role,
    bot_type: botType,
    bot_owner_id: botOwnerId,
  }),
  'realm_user/update': ({ userId, changes, hasNewEmail }) => ({
    user_id: userId,
    email_changed: hasNewEmail,
    ...(changes.fullName === undefined ? {} : { full_name: changes.fullName }),
    ...(changes.role === undefined ? {} : { role: changes.role }),
    ...(changes.isActive === undefined ? {} : { is_active: changes.isActive }),
    ...(changes.botOwnerId === undefined ? {} : { bot_owner_id: changes.botOwnerId }),
    ...(changes.timezone === undefined ? {} : { timezone: changes.timezone }),
    ...(changes.joinedAt === undefined ? {} : { joined_at: changes.joinedAt }),
  }),
  'realm_user/avatar': viewUserId,
  'realm_user/profile': ({ userId, fieldId }) => ({ user_id: userId, field_id: fieldId }),
  bot_setup_changed: viewUserId,
  api_keys_changed: ({ userId, keyCount }) => ({ user_id: userId, key_count: keyCount }),
  login_sessions_changed: ({ userId, sessionCount }) => ({ user_id: userId, session_count: sessionCount }),
  password_set: viewUserId,
  second_factors_changed: ({ userId, change }) => ({ user_id: userId, change }),
  access_refused: ({ userId, ...refused }) => ({ ...refused, user_id: userId }),

  'stream/create': ({ channels }) => ({
    streams: channels.map(({ id, name }) => ({ stream_id: id, name })),
  }),
  'stream/update': ({ channelId, change }, activeUsers) => {
    const whole = change.kind === 'description' ? { ...change, renderedDescription: '' } : change
    const { rendered_description: _, ...view } = viewChannelChange(whole, activeUsers)
    return { stream_id: channelId, ...view }
  },
  default_streams: ({ channelIds }) => ({ default_streams: channelIds }),
  'channel_folder/add': viewName,
  'channel_folder/update': ({ folderId, changes: { name, description, isArchived } }) => ({
    channel_folder_id: folderId,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(isArchived === undefined ? {} : { is_archived: isArchived }),
  }),
  'channel_folder/reorder': ({ folderIds }) => ({ order: folderIds }),
  'subscription/add': viewChannelUsers,
  'subscription/remove': viewChannelUsers,

  'user_group/add': ({ groupId, name, memberIds, subgroupIds }) => ({
    group_id: groupId,
    name,
    members: memberIds,
    direct_subgroup_ids: subgroupIds,
  }),
  'user_group/update': ({ groupId, changes }, activeUsers) => ({
    group_id: groupId,
    data: viewGroupChange(changes, activeUsers),
  }),
  'user_group/add_members': viewMembers,
  'user_group/remove_members': viewMembers,
  'user_group/add_subgroups': viewSubgroups,
  'user_group/remove_subgroups': viewSubgroups,

  invites_changed: ({ change }) => {
    if (!('role' in change)) {
      return {
        op: change.kind,
        inviter_id: change.inviterId,
        ...(change.kind === 'inviter_left' ? {} : { invite_id: change.invitationId }),
      }
    }
    return {
      op: change.kind,
      inviter_id: change.inviterId,
      role: change.role,
      stream_ids: change.channelIds,
      group_ids: change.groupIds,
      expires_at: change.expiresAt,
    }
  },
  invitation_used: ({ invitationId, userId }) => ({ invite_id: invitationId, user_id: userId }),
}

/** Changes of a channel. */

import { NamedTopicsError } from '../../../../db/organization/channels.ts'
import { postChannelEvent } from '../../../changes/messages/send-notice.ts'
import {
  CHANNEL_NAME_ERRORS,
  checkChannelName,
  findAdministrableChannel,
} from '../../../decisions/channels/find-channel.ts'
import {
  ARCHIVE_ERRORS,
  decideArchival,
  decideChannelUpdate,
  UPDATE_CHANNEL_ERRORS,
} from '../../../decisions/channels/update-channel.ts'
import type { ChannelId, FolderId } from '../../../domain/ids.ts'
import { CHANNEL_DESCRIPTION_LENGTH_MAX } from '../../../domain/limits.ts'
import { CHANNEL_PERMISSIONS } from '../../../domain/groups/permissions.ts'
import { scopeOfCall } from '../../call-scope.ts'
import { change } from '../../change-operation.ts'
import { boolean, id, nullable, optional, required, text } from '../../params.ts'
import {
  groupSettingUpdateType,
  permissionParams,
  readPermissionUpdates,
} from '../user-groups/group-setting-params.ts'
import { readDescription, readRetention, retentionType, topicsPolicyType } from './new-channel-params.ts'

/** `PATCH /streams/{stream_id}`: changes a channel's name, description, privacy, settings and permissions. */
export const updateChannel = change({
  method: 'PATCH',
  path: '/streams/{stream_id}',
  summary: 'Update a channel',
  description:
    'For administrators of the channel or of the organization. All of the changes apply, or none; each changed ' +
    'property has its own event. Only users who can read the channel can change its privacy and the ' +
    'permissions to join and to add subscribers. Permissions to delete messages also need the permission of ' +
    'the organization to set them. Administrators need no permission of the organization, except to open a ' +
    'channel to the web.',
  access: 'user',
  params: {
    stream_id: required(id<ChannelId>(), 'The channel.'),
    description: optional(text({ lengthMax: CHANNEL_DESCRIPTION_LENGTH_MAX }), 'In Markdown.'),
    new_name: optional(
      text({ takesNull: true }),
      'The new name; names that differ in case are different here.',
    ),
    is_private: optional(
      boolean(),
      'Whether only subscribers can read it. Without `history_public_to_subscribers`, new subscribers of a ' +
        'channel that becomes private cannot read earlier messages.',
    ),
    is_web_public: optional(boolean(), 'Whether all visitors can read it, even without an account.'),
    history_public_to_subscribers: optional(
      boolean(),
      'Whether new subscribers of a private channel can read earlier messages; if not, everyone must have the ' +
        'permission to start topics. Always true for public channels.',
    ),
    is_default_stream: optional(boolean(), 'Whether new users are subscribed to it; for administrators.'),
    message_retention_days: optional(
      retentionType,
      'Retention of messages, for administrators: days, `realm_default` or `unlimited`.',
    ),
    is_archived: optional(boolean(), 'Only false: restores an archived channel.'),
    folder_id: optional(nullable(id<FolderId>()), 'Its folder; null for none.'),
    topics_policy: optional(
      topicsPolicyType,
      'The topics that messages may have; `empty_topic_only` requires that no message has another topic.',
    ),
    parley_link_previews: optional(
      boolean(),
      'Whether its messages show previews of links, if the organization has these turned on.',
    ),
    ...permissionParams(CHANNEL_PERMISSIONS, groupSettingUpdateType),
  },
  reply: {},
  errors: [
    'CHANNEL_HAS_TOPICS',
    ...CHANNEL_NAME_ERRORS,
    'MESSAGE_RENDERING_FAILED',
    ...UPDATE_CHANNEL_ERRORS,
  ],
  events: [
    'stream/update',
    'stream/create',
    'stream/delete',
    'subscription/add',
    'subscription/peer_add',
    'default_streams',
    'message',
  ],
  async prepare(call) {
    const { user, params, services, fail } = call
    if (params.is_archived === true) {
      const message = 'is_archived can only be set to false; a channel is archived by deleting it.'
      throw fail('PARAMETER_INVALID', { message })
    }
    const name = params.new_name?.trim()
    if (name !== undefined) checkChannelName({ fail }, name)
    findAdministrableChannel(scopeOfCall(call), params.stream_id) // Before the rendering, and again by the decision.
    const description = params.description === undefined ? undefined : readDescription(params.description)
    const renderedDescription = description === undefined ? '' : await services.render(description, user.id)
    const retention = params.message_retention_days
    return {
      channelId: params.stream_id,
      name,
      description: description === undefined ? undefined : { description, renderedDescription },
      privacy: {
        isPrivate: params.is_private,
        isWebPublic: params.is_web_public,
        isHistoryPublic: params.history_public_to_subscribers,
      },
      isDefault: params.is_default_stream,
      retentionDays: retention === undefined ? undefined : readRetention(retention),
      isUnarchived: params.is_archived === false,
      folderId: params.folder_id,
      topicsPolicy: params.topics_policy,
      hasLinkPreviews: params.parley_link_previews,
      permissions: readPermissionUpdates(CHANNEL_PERMISSIONS, params as Readonly<Record<string, unknown>>),
      hasWebPublicChannels: services.hasWebPublicChannels,
    }
  },
  decide: decideChannelUpdate,
  // Another message may get a topic until the change is stored, so the tables check it.
  explain: (error, { fail }) => (error instanceof NamedTopicsError ? fail('CHANNEL_HAS_TOPICS') : undefined),
  async answer(notices, { services, user, params }) {
    for (const notice of notices) await postChannelEvent(services, user.id, params.stream_id, notice)
    return {}
  },
})

/** `DELETE /streams/{stream_id}`: archives a channel. */
export const archiveChannel = change({
  method: 'DELETE',
  path: '/streams/{stream_id}',
  summary: 'Archive a channel',
  description:
    'For administrators of the channel or of the organization. The messages, subscribers and name stay. Nobody ' +
    'can send to an archived channel, and new users are not subscribed to it. An update with `is_archived` ' +
    'false restores it.',
  access: 'user',
  params: { stream_id: required(id<ChannelId>(), 'The channel.') },
  reply: {},
  errors: ARCHIVE_ERRORS,
  events: ['stream/update', 'stream/delete', 'default_streams'],
  prepare: ({ params }) => ({ channelId: params.stream_id }),
  decide: decideArchival,
})

/** `PATCH /streams/{stream_id}`: changes a channel's name, description, privacy, settings and permissions. */

import { NamedTopicsError } from '../../../../db/channels.ts'
import { postChannelEvent } from '../../../changes/messages/send-notice.ts'
import { CHANNEL_NAME_ERRORS, checkChannelName } from '../../../decisions/channels/check-channel-name.ts'
import { decideChannelUpdate, UPDATE_CHANNEL_ERRORS } from '../../../decisions/channels/update-channel.ts'
import type { ChannelId, FolderId } from '../../../domain/ids.ts'
import { CHANNEL_DESCRIPTION_LENGTH_MAX } from '../../../domain/limits.ts'
import { CHANNEL_PERMISSIONS } from '../../../domain/permissions.ts'
import { change } from '../../change-operation.ts'
import { boolean, id, nullable, optional, required, text } from '../../params.ts'
import {
  groupSettingUpdateType,
  permissionParams,
  readPermissionUpdates,
} from '../user-groups/group-setting-params.ts'
import { readDescription, readRetention, retentionType, topicsPolicyType } from './new-channel-params.ts'

export const updateChannel = change({
  method: 'PATCH',
  path: '/streams/{stream_id}',
  summary: 'Update a channel',
  description:
    "For the channel's administrators and the organization's. All of it happens, or nothing; each property " +
    'that really changes is told by an event of its own. Privacy and who may join or add others can only be ' +
    'changed by those who may read the channel; the settings of who may delete messages also need the ' +
    "organization's permission to set them. Administrators need none of the organization's permissions but the one to " +
    'open a channel to the web.',
  access: 'user',
  params: {
    stream_id: required(id<ChannelId>(), 'The channel.'),
    description: optional(text({ lengthMax: CHANNEL_DESCRIPTION_LENGTH_MAX }), 'In Markdown.'),
    new_name: optional(
      text({ takesNull: true }),
      'The new name; another case of the same letters is another name.',
    ),
    is_private: optional(
      boolean(),
      'Whether only subscribers read it. Without `history_public_to_subscribers`, a channel that becomes ' +
        'private keeps what was sent before from new subscribers.',
    ),
    is_web_public: optional(boolean(), 'Whether anyone reads it, without an account too.'),
    history_public_to_subscribers: optional(
      boolean(),
      'Whether new subscribers of a private channel read what was sent before; if not, everyone must be ' +
        'allowed to start topics. Always so in public channels.',
    ),
    is_default_stream: optional(boolean(), 'Whether new users are subscribed to it; by administrators.'),
    message_retention_days: optional(
      retentionType,
      'By administrators: days, `realm_default` or `unlimited`.',
    ),
    is_archived: optional(boolean(), 'Only false: brings an archived channel back.'),
    folder_id: optional(nullable(id<FolderId>()), 'The folder it is in; null for none.'),
    topics_policy: optional(
      topicsPolicyType,
      'Which topics messages may have; `empty_topic_only` while there is no message in another.',
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
  async prepare({ user, params, services, fail }) {
    if (params.is_archived === true) {
      const message = 'is_archived can only be set to false; a channel is archived by deleting it.'
      throw fail('PARAMETER_INVALID', { message })
    }
    const name = params.new_name?.trim()
    if (name !== undefined) checkChannelName({ fail }, name)
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
      permissions: readPermissionUpdates(CHANNEL_PERMISSIONS, params as Readonly<Record<string, unknown>>),
      hasWebPublicChannels: services.hasWebPublicChannels,
    }
  },
  decide: decideChannelUpdate,
  // Whether there are topics with a name is known for sure only while the change is being stored.
  explain: (error, { fail }) => (error instanceof NamedTopicsError ? fail('CHANNEL_HAS_TOPICS') : undefined),
  async answer(notices, { services, user, params }) {
    for (const notice of notices) await postChannelEvent(services, user.id, params.stream_id, notice)
    return {}
  },
})

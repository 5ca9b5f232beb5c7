/** `PATCH /streams/{stream_id}`: changes a channel's name, description, privacy, settings and permissions. */

import { NamedTopicsError } from '../../../../db/channels.ts'
import type { ChannelId, FolderId } from '../../../domain/ids.ts'
import { CHANNEL_DESCRIPTION_LENGTH_MAX } from '../../../domain/limits.ts'
import { CHANNEL_PERMISSIONS } from '../../../domain/permissions.ts'
import { decideUpdateChannel } from '../../../decisions/channels/update-channel.ts'
import { CHANNEL_NAME_ERRORS, checkChannelName } from '../../../decisions/channels/check-channel-name.ts'
import type { Fail } from '../../../errors/api-error.ts'
import { GROUP_SETTING_ERRORS } from '../../../decisions/group-settings.ts'
import {
  groupSettingUpdateType,
  permissionParams,
  readPermissionUpdates,
} from '../user-groups/group-setting-params.ts'
import { operation } from '../../operation.ts'
import { readDescription, readRetention, retentionType, topicsPolicyType } from './new-channel-params.ts'
import { boolean, id, nullable, optional, required, text } from '../../params.ts'
import { postChannelEvent } from '../../../changes/messages/send-notice.ts'

export const updateChannel = operation({
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
    'CHANNEL_UNKNOWN',
    'CHANNEL_ADMINISTRATION_FORBIDDEN',
    'CHANNEL_CONTENT_FORBIDDEN',
    'CHANNEL_HISTORY_CONTRADICTION',
    'CHANNEL_HAS_TOPICS',
    ...CHANNEL_NAME_ERRORS,
    'CHANNEL_NAME_TAKEN',
    'CHANNEL_NAME_UNCHANGED',
    'DEFAULT_CHANNELS_FORBIDDEN',
    'DEFAULT_CHANNEL_ARCHIVED',
    'DEFAULT_CHANNEL_PRIVATE',
    'EXPECTATION_MISMATCH',
    'FOLDER_UNKNOWN',
    ...GROUP_SETTING_ERRORS,
    'MESSAGE_RENDERING_FAILED',
    'MODERATION_CHANNEL_PUBLIC',
    'PARAMETERS_INCOMPATIBLE',
    'PERMISSION_MISSING',
    'ROLE_REQUIRED',
    'WEB_PUBLIC_DISABLED',
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
  async run({ user, params, services, fail }) {
    const { stream_id: channelId } = params
    if (params.is_archived === true) {
      const message = 'is_archived can only be set to false; a channel is archived by deleting it.'
      throw fail('PARAMETER_INVALID', { message })
    }
    const name = params.new_name?.trim()
    if (name !== undefined) checkChannelName(name, fail)
    const description = params.description === undefined ? undefined : readDescription(params.description)
    const renderedDescription = description === undefined ? '' : await services.render(description, user.id)
    const retention = params.message_retention_days
    const update = {
      channelId,
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
    const notices = await rewordTopics(
      services.committer.submit({
        kind: 'structure',
        decide: (state) => decideUpdateChannel(state, state.getUser(user.id), update, fail),
      }),
      fail,
    )
    for (const notice of notices) await postChannelEvent(services, user.id, channelId, notice)
    return {}
  },
})

/** Whether there are topics with a name is known for sure only while the change is being stored. */
async function rewordTopics<Result>(
  change: Promise<Result>,
  fail: Fail<'CHANNEL_HAS_TOPICS'>,
): Promise<Result> {
  try {
    return await change
  } catch (error) {
    throw error instanceof NamedTopicsError ? fail('CHANNEL_HAS_TOPICS') : error
  }
}

/** Groups of default channels: channels for new users of one interest. */

import {
  decideChannelGroupRemoval,
  decideChannelGroupUpdate,
  decideGroupChannels,
  decideNewChannelGroup,
  GROUP_CHANNELS_ERRORS,
  NEW_CHANNEL_GROUP_ERRORS,
  REMOVE_CHANNEL_GROUP_ERRORS,
  UPDATE_CHANNEL_GROUP_ERRORS,
} from '../../../decisions/channels/change-channel-groups.ts'
import type { ChannelGroupId } from '../../../domain/ids.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import {
  CHANNEL_GROUP_CHANNELS_MAX,
  CHANNEL_GROUP_DESCRIPTION_LENGTH_MAX,
  CHANNEL_GROUP_NAME_LENGTH_MAX,
} from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'
import { id, list, oneOf, optional, required, text } from '../../params.ts'

const GROUP = { group_id: required(id<ChannelGroupId>(), 'The id of the group.') }
const nameType = text({ lengthMax: CHANNEL_GROUP_NAME_LENGTH_MAX, trim: true, takesNull: true })
const descriptionType = text({ lengthMax: CHANNEL_GROUP_DESCRIPTION_LENGTH_MAX })
const CHANNEL_NAMES = list(text(), { lengthMax: CHANNEL_GROUP_CHANNELS_MAX })

/** `POST /default_stream_groups/create`. */
export const createChannelGroup = change({
  method: 'POST',
  path: '/default_stream_groups/create',
  summary: 'Create a group of default channels',
  description: 'For administrators. All members see the groups.',
  access: 'user',
  params: {
    group_name: required(nameType, 'The name, which no other group has.'),
    description: required(descriptionType, 'The description.'),
    stream_names: required(CHANNEL_NAMES, 'The names of public channels that are no default channels.'),
  },
  reply: { group_id: { schema: INTEGER, description: 'The id of the group.' } },
  errors: NEW_CHANNEL_GROUP_ERRORS,
  events: ['default_stream_groups'],
  prepare: ({ params: { group_name: name, description, stream_names: channelNames } }) => ({
    name,
    description,
    channelNames,
  }),
  decide: decideNewChannelGroup,
  answer: (groupId) => ({ group_id: groupId }),
})

/** `PATCH /default_stream_groups/{group_id}`. */
export const updateChannelGroup = change({
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}',
  summary: 'Update a group of default channels',
  description: 'For administrators.',
  access: 'user',
  params: {
    ...GROUP,
    new_group_name: optional(nameType, 'The new name.'),
    new_description: optional(descriptionType, 'The new description.'),
  },
  reply: {},
  errors: UPDATE_CHANNEL_GROUP_ERRORS,
  events: ['default_stream_groups'],
  prepare: ({ params: { group_id: groupId, new_group_name: name, new_description: description } }) => ({
    groupId,
    name,
    description,
  }),
  decide: decideChannelGroupUpdate,
})

/** `PATCH /default_stream_groups/{group_id}/streams`. */
export const changeGroupChannels = change({
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}/streams',
  summary: 'Add or remove channels of a group of default channels',
  description: 'For administrators. Nobody is subscribed or unsubscribed.',
  access: 'user',
  params: {
    ...GROUP,
    op: required(oneOf('add', 'remove'), 'Whether to add or to remove the channels.'),
    stream_names: required(CHANNEL_NAMES, 'The names of the channels.'),
  },
  reply: {},
  errors: GROUP_CHANNELS_ERRORS,
  events: ['default_stream_groups'],
  prepare: ({ params: { group_id: groupId, op, stream_names: channelNames } }) => ({
    groupId,
    op,
    channelNames,
  }),
  decide: decideGroupChannels,
})

/** `DELETE /default_stream_groups/{group_id}`. */
export const removeChannelGroup = change({
  method: 'DELETE',
  path: '/default_stream_groups/{group_id}',
  summary: 'Remove a group of default channels',
  description: 'For administrators. The channels and their subscribers stay.',
  access: 'user',
  params: GROUP,
  reply: {},
  errors: REMOVE_CHANNEL_GROUP_ERRORS,
  events: ['default_stream_groups'],
  prepare: ({ params }) => ({ groupId: params.group_id }),
  decide: decideChannelGroupRemoval,
})

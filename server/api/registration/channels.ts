/** The initial state of default channels and their groups, of folders, and the user's topics. */

import { ROLES } from '../../domain/entities.ts'
import { arrayOf, INTEGER } from '../../domain/json-schema.ts'
import { listMutedTopics } from '../../state/list-muted-topics.ts'
import { CHANNEL_FOLDER, viewFolder } from '../../views/folder-view.ts'
import { CHANNEL_GROUP, viewChannelGroup } from '../../views/organization-lists-view.ts'
import { MUTED_TOPICS, USER_TOPIC, viewUserTopic } from '../../views/user-topic-view.ts'
import { statePart } from './state-part.ts'

/** `default_streams`. */
export const defaultChannels = statePart({
  fields: {
    realm_default_streams: {
      schema: arrayOf(INTEGER),
      description: 'Ids of the channels to which new users are subscribed; empty for guests.',
    },
  },
  fetch: ({ user, services: { state } }) => ({
    realm_default_streams: user.role === ROLES.guest ? [] : state.defaultChannelIds,
  }),
})

/** `default_stream_groups`. */
export const channelGroups = statePart({
  fields: {
    realm_default_stream_groups: {
      schema: arrayOf(CHANNEL_GROUP),
      description: 'The groups of default channels, by name; empty for guests.',
    },
  },
  fetch: ({ user, services: { state } }) => ({
    realm_default_stream_groups:
      user.role === ROLES.guest ? [] : state.channelGroups.entries.map(viewChannelGroup),
  }),
})

/** `channel_folders`, `channel_folder`. */
export const folders = statePart({
  fields: {
    channel_folders: { schema: arrayOf(CHANNEL_FOLDER), description: 'All folders of channels, in order.' },
  },
  fetch: ({ services: { state } }) => ({ channel_folders: state.folders.map(viewFolder) }),
})

/** `muted_topics`. */
export const mutedTopics = statePart({
  fields: {
    muted_topics: {
      schema: MUTED_TOPICS,
      description:
        "The user's muted topics for older clients, the latest last: the channel's name, the topic, and the " +
        'UNIX time of the mute.',
    },
  },
  fetch: ({ user, services: { state } }) => ({ muted_topics: listMutedTopics(user, state) }),
})

/** `user_topic`. */
export const userTopics = statePart({
  fields: {
    user_topics: {
      schema: arrayOf(USER_TOPIC),
      description: 'The topics with a visibility policy of the user.',
    },
  },
  fetch({ user, services: { state }, options }) {
    const topics = [...(state.userTopics.get(user.id)?.values() ?? [])]
    return { user_topics: topics.map((topic) => viewUserTopic(topic, options)) }
  },
})

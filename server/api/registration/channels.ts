/** The initial state of default channels and their groups, of folders, and the user's topics. */

import { ROLES } from '../../domain/entities.ts'
import { arrayOf, INTEGER, record } from '../../domain/json-schema.ts'
import { showPin } from '../../domain/channels/pins.ts'
import { visiblePins } from '../../decisions/channels/change-pins.ts'
import { PIN, viewPin } from '../../views/pin-view.ts'
import { listMutedTopics } from '../../state/list-muted-topics.ts'
import { CHANNEL_FOLDER, viewFolder } from '../../views/folder-view.ts'
import { CHANNEL_GROUP, viewChannelGroup } from '../../views/organization-lists-view.ts'
import { MUTED_TOPICS, USER_TOPIC, viewUserTopic } from '../../views/user-topic-view.ts'
import { statePart } from './state-part.ts'
import { visibleChannels } from './subscriptions.ts'

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

/** `channel_pins`. */
export const pins = statePart({
  fields: {
    channel_pins: {
      schema: arrayOf(record({ stream_id: INTEGER, pins: arrayOf(PIN) })),
      description:
        'The pins of each channel that the user is subscribed to and that has some, the oldest first. Other servers have no ' +
        'such field.',
    },
  },
  fetch(context) {
    const { user, services } = context
    const shown = visibleChannels(context)
      .filter(({ subscribers, pins: all }) => all.length > 0 && subscribers.has(user.id))
      .map((channel) => ({
        stream_id: channel.channel.id,
        pins: visiblePins({ state: services.state, caller: user }, channel).map((pin) =>
          viewPin(showPin(pin)),
        ),
      }))
    return {
      channel_pins: shown.filter((one) => one.pins.length > 0).sort((a, b) => a.stream_id - b.stream_id),
    }
  },
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

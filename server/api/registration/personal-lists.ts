/** The initial state of users' own lists: snippets, navigation views, muted users, alert words. */

import { readViews } from '../../../db/personal/navigation-views.ts'
import { readSnippets } from '../../../db/personal/saved-snippets.ts'
import { arrayOf, STRING, mapOf } from '../../domain/json-schema.ts'
import {
  MUTED_USER,
  NAVIGATION_VIEW,
  SNIPPET,
  viewMutedUser,
  viewNavigationView,
  viewSnippet,
} from '../../views/personal-lists-view.ts'
import { readOwnList } from './context.ts'
import { statePart } from './state-part.ts'
import { readDevices } from '../../../db/personal/push-devices.ts'
import { DEVICE, viewDevices } from '../../views/device-view.ts'

/** `saved_snippets`. */
export const snippets = statePart({
  fields: { saved_snippets: { schema: arrayOf(SNIPPET), description: "The user's saved snippets." } },
  fetch: async (context) => ({
    saved_snippets: (await readOwnList(context, 'savedSnippets', readSnippets)).map(viewSnippet),
  }),
})

/** `navigation_view`, `navigation_views`. */
export const navigationViews = statePart({
  fields: {
    navigation_views: { schema: arrayOf(NAVIGATION_VIEW), description: "The user's navigation views." },
  },
  fetch: async (context) => ({
    navigation_views: (await readOwnList(context, 'navigationViews', readViews)).map(viewNavigationView),
  }),
})

/** `muted_users`. */
export const mutedUsers = statePart({
  fields: {
    muted_users: {
      schema: arrayOf(MUTED_USER),
      description: 'The users that the user has muted, with the UNIX time of the mute.',
    },
  },
  fetch: ({ user, services: { state } }) => ({ muted_users: state.mutes.of(user.id).map(viewMutedUser) }),
})

/** `alert_words`. */
export const alertWords = statePart({
  fields: { alert_words: { schema: arrayOf(STRING), description: "The user's alert words." } },
  fetch: ({ user, services: { state } }) => ({ alert_words: state.alertIndex.wordsOf(user.id) }),
})

/** `device`. */
export const devices = statePart({
  fields: {
    devices: { schema: mapOf(DEVICE), description: "The user's devices for push notifications, by id." },
  },
  fetch: async (context) => ({ devices: viewDevices(await readOwnList(context, 'devices', readDevices)) }),
})

/** The events of accounts, bots included, as clients get them. */

import type { UserEvent } from '../../domain/events/users.ts'
import { BOT, BOT_CHANGE, viewBot, viewBotChange } from '../bot-view.ts'
import { PROFILE_CHANGE, viewProfileChange } from '../profile-field-view.ts'
import {
  AVATAR_FIELDS,
  avatarUrl,
  CONCEALED_USER,
  UNKNOWN_AVATAR,
  USER,
  viewAvatar,
  USER_CHANGE,
  viewUserChange,
  viewUnknownUser,
  viewUser,
} from '../user-view.ts'
import { type EventSchemas, type EventViews, opEventOf } from './event-context.ts'
import { anyOf, INTEGER, orNull, record, STRING } from '../../domain/json-schema.ts'

const NEW_EMAIL_FIELDS = { user_id: INTEGER, new_email: STRING }
const ADDED = opEventOf('realm_user/add', 'The user can see an account that they could not see before.', {
  person: USER,
})

/** The events of accounts and bots. */
export const USER_EVENTS = {
  'realm_user/add': ADDED,
  'realm_user/reveal': ADDED,
  'realm_user/update': opEventOf('realm_user/update', 'Properties of an account changed.', {
    person: USER_CHANGE,
  }),
  'realm_user/email': opEventOf('realm_user/update', 'The API email address of an account changed.', {
    person: record(NEW_EMAIL_FIELDS),
  }),
  'realm_user/delivery_email': opEventOf(
    'realm_user/update',
    'The real email address of an account was revealed, hidden or changed.',
    {
      person: record({ user_id: INTEGER, delivery_email: orNull(STRING) }),
    },
  ),
  'realm_user/avatar': opEventOf('realm_user/update', 'The avatar of an account changed.', {
    person: record({ user_id: INTEGER, ...AVATAR_FIELDS, avatar_version: INTEGER }),
  }),
  'realm_user/profile': opEventOf('realm_user/update', 'A profile field of an account changed.', {
    person: record({ user_id: INTEGER, custom_profile_field: PROFILE_CHANGE }),
  }),
  'realm_user/conceal': anyOf(
    opEventOf(
      'realm_user/remove',
      'The user can no longer see an account; for clients with `user_list_incomplete`.',
      { person: record({ user_id: INTEGER, full_name: STRING }) },
    ),
    opEventOf(
      'realm_user/update',
      'The user can no longer see an account; for clients without `user_list_incomplete`.',
      { person: CONCEALED_USER },
    ),
  ),
  'realm_bot/add': opEventOf('realm_bot/add', 'A bot that the user manages was created.', { bot: BOT }),
  'realm_bot/update': opEventOf('realm_bot/update', 'A bot that the user manages changed.', {
    bot: BOT_CHANGE,
  }),
  'realm_bot/delete': opEventOf('realm_bot/delete', 'The user no longer manages a bot.', {
    bot: record({ user_id: INTEGER }),
  }),
} satisfies EventSchemas<UserEvent>

/** The change of a user whom the recipient already knows. */
function updated<Person>(person: Person) {
  return { type: 'realm_user', op: 'update', person } as const
}

/** The views of accounts. */
export const USER_EVENT_VIEWS: EventViews<UserEvent, typeof USER_EVENTS> = {
  'realm_user/add': (event, { state, options, recipient }) => {
    const viewer = state.getUser(recipient.userId)
    const person = viewUser(event.user, viewer, state, { ...options, hasProfile: true })
    return { type: 'realm_user', op: 'add', person }
  },
  'realm_user/update': ({ userId, changes }, { state }) =>
    updated(viewUserChange(state.getUser(userId), changes, state)),
  'realm_user/email': ({ userId }, { state }) =>
    updated({ user_id: userId, new_email: state.apiEmailOf(state.getUser(userId)) }),
  'realm_user/delivery_email': ({ userId, isShown }, { state, recipient }) => {
    const user = state.getUser(userId)
    // The address may have been hidden since: a later event says so.
    const isStillShown = isShown && state.canSeeEmail(state.getUser(recipient.userId), user)
    return updated({ user_id: userId, delivery_email: isStillShown ? user.email : null })
  },
  'realm_user/avatar': ({ userId }, { state }) => {
    const user = state.getUser(userId)
    return updated({ user_id: user.id, ...viewAvatar(user, state), avatar_version: user.avatarVersion })
  },
  'realm_user/profile': ({ userId, fieldId, filled }) =>
    updated({ user_id: userId, custom_profile_field: viewProfileChange(fieldId, filled) }),
  'realm_user/reveal': ({ userId }, { state, options, recipient }) => {
    const viewer = state.getUser(recipient.userId)
    const person = viewUser(state.getUser(userId), viewer, state, { ...options, hasProfile: true })
    return { type: 'realm_user', op: 'add', person }
  },
  'realm_user/conceal': ({ userId }, { state, options }) => {
    const person = viewUnknownUser(userId, state, true)
    const { user_id, full_name, email: new_email, ...others } = person
    return options.hasIncompleteUsers
      ? { type: 'realm_user', op: 'remove', person: { user_id, full_name } }
      : updated({ user_id, full_name, new_email, ...others, ...UNKNOWN_AVATAR })
  },
  'realm_bot/add': ({ botId }, { state, recipient }) => {
    const bot = viewBot(state.getUser(botId), state.getUser(recipient.userId), state)
    return { type: 'realm_bot', op: 'add', bot }
  },
  'realm_bot/update': ({ botId, change }, { state, recipient }) => {
    const changes = viewBotChange(change, state.getUser(recipient.userId), state)
    const avatar = change.hasNewAvatar && { avatar_url: avatarUrl(state.getUser(botId), state) }
    return { type: 'realm_bot', op: 'update', bot: { user_id: botId, ...changes, ...avatar } }
  },
  'realm_bot/delete': ({ botId }) => ({ type: 'realm_bot', op: 'delete', bot: { user_id: botId } }),
}

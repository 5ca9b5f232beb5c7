/** What clients are told of what happens to accounts, bots included. */

import type { UserEvent } from '../../domain/events/users.ts'
import { viewBot, viewBotChange } from '../bot-view.ts'
import { viewProfileChange } from '../profile-field-view.ts'
import {
  avatarUrl,
  UNKNOWN_AVATAR,
  viewAvatar,
  viewJoinedAt,
  viewUnknownUser,
  viewUser,
} from '../user-view.ts'
import type { EventViews } from './event-context.ts'

/** What is told of somebody whom the recipient knows already. */
function updated(person: object): object {
  return { type: 'realm_user', op: 'update', person }
}

/** The views of what happens to accounts. */
export const USER_EVENT_VIEWS: EventViews<UserEvent> = {
  'realm_user/add': (event, { state, options, recipient }) => {
    const viewer = state.getUser(recipient.userId)
    const person = viewUser(event.user, viewer, state, { ...options, hasProfile: true })
    return { type: 'realm_user', op: 'add', person }
  },
  'realm_user/update': ({ userId, changes }, { state }) => {
    const { isActive, role, fullName, timezone, botOwnerId, joinedAt } = changes
    return updated({
      user_id: userId,
      ...(isActive === undefined ? {} : { is_active: isActive }),
      ...(role === undefined ? {} : { role }),
      ...(fullName === undefined ? {} : { full_name: fullName }),
      ...(botOwnerId === undefined ? {} : { bot_owner_id: botOwnerId }),
      ...(joinedAt === undefined ? {} : { date_joined: viewJoinedAt(joinedAt) }),
      ...(timezone === undefined ? {} : { email: state.apiEmailOf(state.getUser(userId)), timezone }),
    })
  },
  'realm_user/email': ({ userId }, { state }) =>
    updated({ user_id: userId, new_email: state.apiEmailOf(state.getUser(userId)) }),
  'realm_user/delivery_email': ({ userId, isShown }, { state, recipient }) => {
    const user = state.getUser(userId)
    // It is told as it is now, and may have been hidden since: an event that follows says so.
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

/** The state of accounts, bots included. */

import { endsSessions, type UserEvent } from '../../domain/events/users.ts'
import { dayOf } from '../../domain/messages/weekly-traffic.ts'
import { type Appliers, noticeOnly, storedElsewhere } from './appliers.ts'

/** Applies the events of accounts. */
export const USER_APPLIERS: Appliers<UserEvent> = {
  'realm_user/add': (state, { user, settings, pictureId, pictureSource }) => {
    if (pictureId !== undefined) state.avatars.set(user.id, pictureId)
    if (pictureSource !== undefined) state.pictureSources.set(user.id, pictureSource)
    if (settings) state.userSettings.set(user.id, settings)
    state.placeUser(user)
  },
  'realm_user/update': (state, { userId, changes }) => {
    state.placeUser({ ...state.getUser(userId), ...changes })
    if (endsSessions(changes)) state.placeLoginSessions(userId, [])
    if (changes.joinedAt !== undefined) {
      state.awaitingLogin = state.awaitingLogin.without([userId])
      state.seenUsers.note(dayOf(changes.joinedAt), [userId])
    }
  },
  'realm_user/avatar': (state, { userId, avatar }) => {
    const { pictureId, version } = avatar
    if (pictureId === null) state.avatars.delete(userId)
    else state.avatars.set(userId, pictureId)
    state.placeUser({ ...state.getUser(userId), avatarVersion: version })
  },
  'realm_user/avatar_shown': noticeOnly,
  'realm_user/profile': (state, { userId, fieldId, filled }) => {
    state.placeProfileValue(userId, fieldId, filled)
  },
  'realm_user/email': noticeOnly,
  'realm_user/delivery_email': noticeOnly,
  'realm_user/reveal': noticeOnly,
  'realm_user/conceal': noticeOnly,
  'realm_bot/add': noticeOnly,
  'realm_bot/update': noticeOnly,
  'realm_bot/delete': noticeOnly,
  login_awaited: (state, { userId }) => {
    state.awaitingLogin = state.awaitingLogin.with([userId])
  },
  password_set: storedElsewhere,
  own_address: storedElsewhere,
  second_factors_changed: (state, { userId, change }) => {
    if (change === 'totp_on') state.appUsers = state.appUsers.with([userId])
    else if (change === 'totp_off' || change === 'reset') state.appUsers = state.appUsers.without([userId])
  },
  access_refused: storedElsewhere,
  bot_setup_changed: (state, { botId, setup }) => {
    state.botSetups.set(botId, setup)
  },
  users_seen: (state, { day, userIds }) => {
    state.seenUsers.note(day, userIds)
  },
  api_keys_changed: (state, { userId, keyHashes }) => {
    state.apiKeyHashes.set(userId, keyHashes)
  },
  login_sessions_changed: (state, { userId, sessions }) => {
    state.placeLoginSessions(userId, sessions)
  },
}

/** Accounts, and who knows of them. */

import { removeLoginSessions } from '../../db/accounts/login-sessions.ts'
import { storeScimUser } from '../../db/accounts/scim-users.ts'
import {
  forgetAccess,
  storeAvatar,
  storeAwaitedLogin,
  storeUser,
  storeUserChange,
  storeUsersSeen,
} from '../../db/accounts/users.ts'
import { removeQueuesOf } from '../../db/log/queues.ts'
import { storeProfileRun } from '../../db/log/store-runs.ts'
import { everyone } from '../audience/notifier.ts'
import { notifyAvatars, notifyNewUsers, notifyUserUpdates } from '../audience/users.ts'
import type { EventOf } from '../domain/events.ts'
import { endsSessions, type UserFact, type UserNotice } from '../domain/events/users.ts'
import { anyOf, BOOLEAN, INTEGER, orNull, record, STRING } from '../domain/json-schema.ts'
import { dayOf } from '../domain/messages/weekly-traffic.ts'
import { PROFILE_CHANGE, viewProfileChange } from '../views/profile-field-view.ts'
import {
  AVATAR_FIELDS,
  CONCEALED_USER,
  UNKNOWN_AVATAR,
  USER,
  USER_CHANGE,
  viewAvatar,
  viewUnknownUser,
  viewUser,
  viewUserChange,
} from '../views/user-view.ts'
import { AUDITED_USER, audited } from './audited.ts'
import { type Entries, fact, notice, silent, userOf } from './entry.ts'
import { eventSchema, shown, shownAs, shownWhole } from './view.ts'

const ABOUT_USER = { subjects: userOf, isUselessIfUnknown: true }

const ADDED = shownAs(
  'realm_user/add',
  'The user can see an account that they could not see before.',
  record({ person: USER }),
  (event: EventOf<'realm_user/add' | 'realm_user/reveal'>, { state, options, recipient }) => {
    const user = event.type === 'realm_user/add' ? event.user : state.getUser(event.userId)
    const viewer = state.getUser(recipient.userId)
    return { person: viewUser(user, viewer, state, { ...options, hasProfile: true }) }
  },
)

const NEW_AVATAR = shownAs(
  'realm_user/update',
  'The avatar of an account changed.',
  record({ person: record({ user_id: INTEGER, ...AVATAR_FIELDS, avatar_version: INTEGER }) }),
  ({ userId }: EventOf<'realm_user/avatar' | 'realm_user/avatar_shown'>, { state }) => {
    const user = state.getUser(userId)
    return {
      person: { user_id: user.id, ...viewAvatar(user, state), avatar_version: user.avatarVersion },
    }
  },
)

export const USER_EVENTS: Entries<UserFact | UserNotice> = {
  'realm_user/add': fact({
    audience: notifyNewUsers,
    subjects: ({ user }) => [user.id],
    apply(state, { user, settings, pictureId, pictureSource }) {
      if (pictureId !== undefined) state.avatars.set(user.id, pictureId)
      if (pictureSource !== undefined) state.pictureSources.set(user.id, pictureSource)
      if (settings) state.placeUserSettings(user.id, settings)
      state.placeUser(user)
    },
    store: (writes, _, event) => storeUser(writes, event),
    view: ADDED,
    audit: audited(
      ({ user: { id, fullName, role, botType, botOwnerId } }) => ({
        userId: id,
        fullName,
        role,
        botType,
        botOwnerId,
      }),
      record({
        user_id: INTEGER,
        full_name: STRING,
        role: INTEGER,
        bot_type: orNull(INTEGER),
        bot_owner_id: orNull(INTEGER),
      }),
      ({ userId, fullName, role, botType, botOwnerId }) => ({
        user_id: userId,
        full_name: fullName,
        role,
        bot_type: botType,
        bot_owner_id: botOwnerId,
      }),
    ),
  }),
  'realm_user/reveal': notice({ subjects: userOf, view: ADDED }),
  'realm_user/update': fact({
    audience: notifyUserUpdates,
    ...ABOUT_USER,
    apply(state, { userId, changes }) {
      state.placeUser({ ...state.getUser(userId), ...changes })
      if (endsSessions(changes)) state.placeLoginSessions(userId, [])
      if (changes.joinedAt !== undefined) {
        state.awaitingLogin = state.awaitingLogin.without([userId])
        state.seenUsers.note(dayOf(changes.joinedAt), [userId])
      }
    },
    store(writes, _, { userId, changes }) {
      storeUserChange(writes, userId, changes)
      if (endsSessions(changes)) removeLoginSessions(writes, userId)
      if (changes.isActive === false) {
        removeQueuesOf(writes, userId)
        forgetAccess(writes, userId)
      }
    },
    view: shown(
      'Properties of an account changed.',
      record({ person: USER_CHANGE }),
      ({ userId, changes }, { state }) => ({ person: viewUserChange(state.getUser(userId), changes, state) }),
    ),
    audit: audited(
      ({ userId, changes: { email, ...changes } }) => ({ userId, changes, hasNewEmail: email !== undefined }),
      record(
        { user_id: INTEGER, email_changed: BOOLEAN },
        {
          full_name: STRING,
          role: INTEGER,
          is_active: BOOLEAN,
          bot_owner_id: orNull(INTEGER),
          timezone: STRING,
          joined_at: INTEGER,
        },
      ),
      ({ userId, changes, hasNewEmail }) => ({
        user_id: userId,
        email_changed: hasNewEmail,
        ...(changes.fullName === undefined ? {} : { full_name: changes.fullName }),
        ...(changes.role === undefined ? {} : { role: changes.role }),
        ...(changes.isActive === undefined ? {} : { is_active: changes.isActive }),
        ...(changes.botOwnerId === undefined ? {} : { bot_owner_id: changes.botOwnerId }),
        ...(changes.timezone === undefined ? {} : { timezone: changes.timezone }),
        ...(changes.joinedAt === undefined ? {} : { joined_at: changes.joinedAt }),
      }),
    ),
  }),
  'realm_user/email': notice({
    ...ABOUT_USER,
    view: shownAs(
      'realm_user/update',
      'The API email address of an account changed.',
      record({ person: record({ user_id: INTEGER, new_email: STRING }) }),
      ({ userId }, { state }) => ({
        person: { user_id: userId, new_email: state.apiEmailOf(state.getUser(userId)) },
      }),
    ),
  }),
  'realm_user/delivery_email': notice({
    ...ABOUT_USER,
    view: shownAs(
      'realm_user/update',
      'The real email address of an account was revealed, hidden or changed.',
      record({ person: record({ user_id: INTEGER, delivery_email: orNull(STRING) }) }),
      ({ userId, isShown }, { state, recipient }) => {
        const user = state.getUser(userId)
        // The address may have been hidden since: a later event says so.
        const isStillShown = isShown && state.canSeeEmail(state.getUser(recipient.userId), user)
        return { person: { user_id: userId, delivery_email: isStillShown ? user.email : null } }
      },
    ),
  }),
  'realm_user/avatar': fact({
    audience: notifyAvatars,
    ...ABOUT_USER,
    apply(state, { userId, avatar: { pictureId, version } }) {
      if (pictureId === null) state.avatars.delete(userId)
      else state.avatars.set(userId, pictureId)
      state.placeUser({ ...state.getUser(userId), avatarVersion: version })
    },
    store: (writes, _, { userId, avatar }) => storeAvatar(writes, userId, avatar),
    view: NEW_AVATAR,
    audit: AUDITED_USER,
  }),
  'realm_user/avatar_shown': notice({ ...ABOUT_USER, view: NEW_AVATAR }),
  'realm_user/profile': fact({
    audience: everyone,
    ...ABOUT_USER,
    apply: (state, { userId, fieldId, filled }) => state.placeProfileValue(userId, fieldId, filled),
    storeRun: storeProfileRun,
    view: shownAs(
      'realm_user/update',
      'A profile field of an account changed.',
      record({ person: record({ user_id: INTEGER, custom_profile_field: PROFILE_CHANGE }) }),
      ({ userId, fieldId, filled }) => ({
        person: { user_id: userId, custom_profile_field: viewProfileChange(fieldId, filled) },
      }),
    ),
    audit: audited(
      ({ userId, fieldId }) => ({ userId, fieldId }),
      record({ user_id: INTEGER, field_id: INTEGER }),
      ({ userId, fieldId }) => ({ user_id: userId, field_id: fieldId }),
    ),
  }),
  'realm_user/conceal': notice({
    subjects: userOf,
    view: shownWhole(
      anyOf(
        eventSchema(
          'realm_user/remove',
          'The user can no longer see an account; for clients with `user_list_incomplete`.',
          record({ person: record({ user_id: INTEGER, full_name: STRING }) }),
        ),
        eventSchema(
          'realm_user/update',
          'The user can no longer see an account; for clients without `user_list_incomplete`.',
          record({ person: CONCEALED_USER }),
        ),
      ),
      ({ userId }, { state, options }) => {
        const { user_id, full_name, email: new_email, ...others } = viewUnknownUser(userId, state, true)
        const type = 'realm_user' as const
        return options.hasIncompleteUsers
          ? { type, op: 'remove' as const, person: { user_id, full_name } }
          : {
              type,
              op: 'update' as const,
              person: { user_id, full_name, new_email, ...others, ...UNKNOWN_AVATAR },
            }
      },
    ),
  }),
  login_awaited: silent({
    apply(state, { userId }) {
      state.awaitingLogin = state.awaitingLogin.with([userId])
    },
    store: (writes, _, { userId }) => storeAwaitedLogin(writes, userId),
  }),
  scim_user_changed: silent({
    store: (writes, _, { userId, stored }) => storeScimUser(writes, userId, stored.reveal()),
  }),
  users_seen: silent({
    apply: (state, { day, userIds }) => state.seenUsers.note(day, userIds),
    store: (writes, _, { day, userIds }) => storeUsersSeen(writes, day, userIds),
  }),
}

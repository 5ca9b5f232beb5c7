/** Presence, statuses and typing. */

import { storeUserStatus } from '../../db/personal/user-statuses.ts'
import { everyone } from '../audience/notifier.ts'
import type { EventOf } from '../domain/events.ts'
import type { EditTypingEvent, PresenceFact, PresenceNotice, TypingEvent } from '../domain/events/presence.ts'
import type { UserId } from '../domain/ids.ts'
import { INTEGER, mapOf, NUMBER, record, STRING } from '../domain/json-schema.ts'
import { changeStatus } from '../domain/users/user-status.ts'
import { CLIENT_PRESENCE, encodePresence, PRESENCE, viewLegacyClient } from '../views/presence-view.ts'
import { USER_STATUS_FIELDS, viewStatusChange } from '../views/status-view.ts'
import { EDIT_TYPING, TYPING, viewEditTyping, viewTyping } from '../views/typing-view.ts'
import { type Entries, fact, notice, userOf } from './entry.ts'
import { eventSchema, shown, shownAs } from './view.ts'

const STATUS = shownAs(
  'user_status',
  'The status of a user changed.',
  record({ user_id: INTEGER }, USER_STATUS_FIELDS),
  ({ userId, changes, ...more }: EventOf<'user_status' | 'user_status/shown'>, { options }) => {
    const isAway = 'isAway' in more ? { isAway: more.isAway } : {}
    return { user_id: userId, ...viewStatusChange({ ...changes, ...isAway }, options.readsOriginalTypes) }
  },
)

/** The users whom typing shows; a user who no longer knows them needs no such event. */
const TYPISTS = {
  subjects: ({ place, senderId }: TypingEvent | EditTypingEvent): readonly UserId[] =>
    place.kind === 'direct' ? place.userIds : [senderId],
  isUselessIfUnknown: true,
}

const typing = (description: string) =>
  notice<TypingEvent>({
    ...TYPISTS,
    view: shown(description, TYPING, (event, { state, options }) => viewTyping(event, state, options)),
  })

const editTyping = (description: string) =>
  notice<EditTypingEvent>({
    ...TYPISTS,
    view: shown(description, EDIT_TYPING, (event, { options }) => viewEditTyping(event, options)),
  })

export const PRESENCE_EVENTS: Entries<PresenceFact | PresenceNotice> = {
  user_status: fact({
    audience: everyone,
    subjects: userOf,
    isStructural: false,
    apply(state, { userId, changes }) {
      const status = changeStatus(state.userStatuses.get(userId), changes)
      if (status) state.userStatuses.set(userId, status)
      else state.userStatuses.delete(userId)
    },
    store: (writes, _, { userId, changes }) => storeUserStatus(writes, userId, changes),
    view: STATUS,
  }),
  'user_status/shown': notice({ subjects: userOf, view: STATUS }),
  presence: notice({
    view: {
      schemaOf: (kind) =>
        eventSchema(kind, 'The presence of users changed.', record({ presences: mapOf(PRESENCE) })),
      encode({ presences }, { id, state }, head) {
        const encoded = presences.map((one) => encodePresence(one, state.getUser(one.userId)))
        return `{"id":${id},${head},"presences":{${encoded.join(',')}}}`
      },
    },
  }),
  'presence/single': notice({
    subjects: ({ presence }) => [presence.userId],
    view: shownAs(
      'presence',
      'The presence of one user changed; for clients without `simplified_presence_events`.',
      record({
        user_id: INTEGER,
        email: STRING,
        server_timestamp: NUMBER,
        presence: record({ website: CLIENT_PRESENCE }),
      }),
      ({ presence, toldAt }, { state, recipient }) => ({
        user_id: presence.userId,
        email: state.apiEmailFor(recipient.userId, state.getUser(presence.userId)),
        server_timestamp: toldAt,
        presence: { website: viewLegacyClient(presence) },
      }),
    ),
  }),
  'typing/start': typing('A user started typing a message.'),
  'typing/stop': typing('A user stopped typing a message.'),
  'typing_edit_message/start': editTyping('A user started editing a message.'),
  'typing_edit_message/stop': editTyping('A user stopped editing a message.'),
}

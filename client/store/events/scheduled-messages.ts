/** Events of scheduled messages and reminders, which the state orders by time. */

import { append, removeOne } from './lists.ts'
import { assign, type Reducers } from './reducer.ts'

export const SCHEDULED_REDUCERS = {
  'scheduled_messages/add': (state, event) =>
    assign(state, {
      scheduled_messages: sort(
        append(state.scheduled_messages, ...event.scheduled_messages),
        'scheduled_message_id',
      ),
    }),
  // It is replaced whole: one that is for people now has no topic any more.
  'scheduled_messages/update': (state, { scheduled_message: changed }) =>
    assign(state, {
      scheduled_messages: (state.scheduled_messages ?? []).map((one) =>
        one.scheduled_message_id === changed.scheduled_message_id ? changed : one,
      ),
    }),
  'scheduled_messages/remove': (state, { scheduled_message_id: id }) =>
    assign(state, {
      scheduled_messages: removeOne(state.scheduled_messages, ['scheduled_message_id', id]),
    }),
  'reminders/add': (state, event) =>
    assign(state, { reminders: sort(append(state.reminders, ...event.reminders), 'reminder_id') }),
  'reminders/remove': (state, { reminder_id }) =>
    assign(state, { reminders: removeOne(state.reminders, ['reminder_id', reminder_id]) }),
} satisfies Partial<Reducers>

interface Timed {
  readonly scheduled_delivery_timestamp: number
}

function sort<Key extends string, One extends Timed & Readonly<Record<Key, number>>>(
  list: readonly One[] | undefined,
  key: Key,
): readonly One[] | undefined {
  return list?.toSorted(
    (a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a[key] - b[key],
  )
}

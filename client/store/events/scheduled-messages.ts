/** Events of scheduled messages and reminders, which the state orders by time. */

import { append, changeOne, removeOne } from './lists.ts'
import { assign, type Reducers } from './reducer.ts'

export const SCHEDULED_REDUCERS = {
  'scheduled_messages/add': (state, event) =>
    assign(state, {
      scheduled_messages: sort(
        append(state.scheduled_messages, ...event.scheduled_messages),
        'scheduled_message_id',
      ),
    }),
  'scheduled_messages/update': (state, { scheduled_message: { scheduled_message_id: id, ...message } }) =>
    assign(state, {
      scheduled_messages: sort(
        changeOne(state.scheduled_messages, ['scheduled_message_id', id], message),
        'scheduled_message_id',
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

/** Scheduled messages in the state of a client, ordered by time. */

import { find, type Json, remove, type WireReducers } from './wire-reducer.ts'

export const SCHEDULED_REDUCERS: WireReducers = {
  'scheduled_messages/add': (state, event) => {
    state.scheduled_messages.push(...event.scheduled_messages)
    sort(state.scheduled_messages, 'scheduled_message_id')
  },
  'scheduled_messages/update': (state, { scheduled_message }) => {
    const { scheduled_message_id: id } = scheduled_message
    const list = state.scheduled_messages
    list.splice(list.indexOf(find(list, 'scheduled_message_id', id)), 1, scheduled_message)
    sort(list, 'scheduled_message_id')
  },
  'scheduled_messages/remove': (state, event) =>
    remove(state, 'scheduled_messages', 'scheduled_message_id', event.scheduled_message_id),
  'reminders/add': (state, event) => {
    state.reminders.push(...event.reminders)
    sort(state.reminders, 'reminder_id')
  },
  'reminders/remove': (state, event) => remove(state, 'reminders', 'reminder_id', event.reminder_id),
}

function sort(list: Json[], key: string): void {
  const timeOf = (one: Json) => one.scheduled_delivery_timestamp
  list.sort((a, b) => timeOf(a) - timeOf(b) || a[key] - b[key])
}

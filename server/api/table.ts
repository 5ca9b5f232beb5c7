/** The table of operations: routing, decoding, the reference and its tests all derive from it. */

import type { Operation } from './operation.ts'
import { getChannels } from './operations/channels/get-channels.ts'
import { deleteQueue } from './operations/events/delete-queue.ts'
import { getEvents } from './operations/events/get-events.ts'
import { registerQueue } from './operations/events/register-queue.ts'
import { getMessages } from './operations/messages/get-messages.ts'
import { sendMessage } from './operations/messages/send-message.ts'
import { getServerSettings } from './operations/server/get-server-settings.ts'
import { getSubscriptions } from './operations/subscriptions/get-subscriptions.ts'
import { subscribe } from './operations/subscriptions/subscribe.ts'
import { unsubscribe } from './operations/subscriptions/unsubscribe.ts'
import { fetchApiKey } from './operations/users/fetch-api-key.ts'
import { getOwnUser, getUser, getUsers } from './operations/users/get-users.ts'

export const OPERATIONS: readonly Operation[] = [
  getServerSettings,
  fetchApiKey,
  registerQueue,
  getEvents,
  deleteQueue,
  sendMessage,
  getMessages,
  getUsers,
  getOwnUser,
  getUser,
  getChannels,
  getSubscriptions,
  subscribe,
  unsubscribe,
]

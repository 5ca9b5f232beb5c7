/**
 * An answer that somebody writes into a notification, where the browser has a field for it. It goes through the outbox of the
 * client on this device: one that does not leave now is sent once by the next page, or shown there with the reason.
 */

import { DeviceStore } from '../app/device-store.ts'
import type { OutboxEntry } from '../store/outbox/stored-entry.ts'
import type { AnswerPlace, AnswerWords, NotificationData } from './notification-data.ts'

/** The name of the button. */
export const ANSWER = 'answer'

/** Milliseconds for an answer of the server: browsers end a worker that takes some minutes for a click. */
const SEND_MS_MAX = 30_000

const ENGLISH: AnswerWords = { label: 'Reply', placeholder: 'Write a message' }

/** The buttons of a notification. Browsers without a field for text would show one that does nothing, so they get none. */
export function answerActions(words: AnswerWords = ENGLISH): object[] {
  const { NotificationEvent: type } = globalThis as { NotificationEvent?: { readonly prototype: object } }
  const hasField = type !== undefined && 'reply' in type.prototype
  return hasField
    ? [{ action: ANSWER, type: 'text', title: words.label, placeholder: words.placeholder }]
    : []
}

/**
 * Sends an answer. If the server does not take it, the outbox of the person on this device has it. The result is `foreign` if
 * the browser has the session of somebody else by now.
 */
export async function sendAnswer(
  { place, userId, messageIds }: NotificationData,
  text: string,
): Promise<'sent' | 'unsent' | 'foreign'> {
  // An earlier release did not say whose notification it is.
  if (!place || userId === undefined) return 'unsent'
  const id = crypto.randomUUID()
  const now = Date.now()
  const entry: OutboxEntry = {
    to: destinationOf(place, userId),
    content: text,
    // The server takes a mark once, so this attempt and one of a page are the same message.
    queueId: id,
    localId: id,
    typedAtMs: now,
    triedAtMs: now,
    afterId: messageIds.at(-1) ?? 0,
    phase: { name: 'waiting' },
  }
  const outbox = new DeviceStore<OutboxEntry>(userId, 'outbox')
  // A browser that refuses storage sends it all the same.
  await outbox.put(id, entry).catch(() => undefined)
  const result = await send(place, userId, entry)
  if (result === 'sent') await outbox.remove(id).catch(() => undefined)
  if (typeof result === 'string') return result
  await outbox
    .put(id, { ...entry, phase: { name: 'failed', reason: result.reason, mayBeSent: false } })
    .catch(() => undefined)
  return 'unsent'
}

/** The words of a notification of an answer that did not leave. */
export const unsentWordsOf = ({ answer }: NotificationData): string =>
  answer?.unsent ?? 'Your reply wasn’t sent'

/** Sends it in the session that the browser has, if that is the person's. */
async function send(
  place: AnswerPlace,
  userId: number,
  { content, queueId, localId }: OutboxEntry,
): Promise<'sent' | 'unsent' | 'foreign' | { readonly reason: string }> {
  const token = await readCsrfToken()
  if (token === undefined) return 'unsent'
  const body = new URLSearchParams({
    type: place.type,
    to: JSON.stringify(place.to),
    ...(place.type === 'channel' ? { topic: place.topic } : {}),
    content,
    queue_id: queueId,
    local_id: localId,
    read_by_sender: 'true',
  })
  try {
    const headers = { 'x-csrftoken': token }
    const signal = AbortSignal.timeout(SEND_MS_MAX)
    // Somebody else may have logged in since. The token is of this session: after another log-in the server refuses it.
    const ownId = await readOwnId(signal)
    if (ownId !== userId) return ownId === undefined ? 'unsent' : 'foreign'
    const answer = await fetch('/json/messages', { method: 'POST', body, headers, signal })
    const { result, code, msg } = (await answer.json()) as Readonly<Record<'result' | 'code' | 'msg', string>>
    if (answer.ok && result === 'success') return 'sent'
    return isRefusal(answer.status, code) ? { reason: msg ?? '' } : 'unsent'
  } catch {
    return 'unsent' // No connection, or a proxy that answers for the server.
  }
}

/** The person whose session the browser has; undefined if nobody is logged in. */
async function readOwnId(signal: AbortSignal): Promise<number | undefined> {
  const answer = await fetch('/json/users/me', { signal })
  const { user_id: id } = (await answer.json()) as { readonly user_id?: number }
  return id
}

/** As the outbox of pages decides it: whether the server will never take the message as it is. */
const isRefusal = (status: number, code: string | undefined) =>
  status >= 400 && status < 500 && status !== 401 && status !== 429 && code !== 'CSRF_FAILED'

function destinationOf(place: AnswerPlace, userId: number): OutboxEntry['to'] {
  return place.type === 'channel'
    ? { type: 'channel', channelId: place.to, topic: place.topic }
    : { type: 'direct', userIds: place.to.filter((id) => id !== userId).toSorted((a, b) => a - b) }
}

/** The token of the session, which pages and workers may read. */
async function readCsrfToken(): Promise<string | undefined> {
  if (!('cookieStore' in globalThis)) return undefined
  const store = (
    globalThis as unknown as { cookieStore: { get(name: string): Promise<{ value: string } | null> } }
  ).cookieStore
  const found = (await store.get('__Host-csrftoken')) ?? (await store.get('csrftoken'))
  return found?.value
}

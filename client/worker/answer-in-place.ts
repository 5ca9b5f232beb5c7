/** An answer that somebody writes into a notification, where the browser has a field for it. */

import type { NotificationData } from './notification-data.ts'

/** The name of the button. */
export const ANSWER = 'answer'

/** In the language of the person: a worker has no catalogue, so the server sends them. */
export interface AnswerWords {
  readonly label: string
  readonly placeholder: string
}

const ENGLISH: AnswerWords = { label: 'Reply', placeholder: 'Write a message' }

/** The buttons of a notification. Browsers without a field for text would show one that does nothing, so they get none. */
export function answerActions(words: AnswerWords = ENGLISH): object[] {
  const { NotificationEvent: type } = globalThis as { NotificationEvent?: { readonly prototype: object } }
  const hasField = type !== undefined && 'reply' in type.prototype
  return hasField
    ? [{ action: ANSWER, type: 'text', title: words.label, placeholder: words.placeholder }]
    : []
}

/** Sends an answer; returns whether the server took it. */
export async function sendAnswer({ place }: NotificationData, text: string): Promise<boolean> {
  if (!place || text.trim() === '') return false
  const token = await readCsrfToken()
  if (token === undefined) return false
  const body = new URLSearchParams({
    type: place.type,
    to: JSON.stringify(place.to),
    content: text,
    ...(place.topic === undefined ? {} : { topic: place.topic }),
  })
  try {
    const answer = await fetch('/json/messages', { method: 'POST', body, headers: { 'x-csrftoken': token } })
    return answer.ok
  } catch {
    return false // The conversation opens instead, with the text lost to the browser: it cannot be sent later.
  }
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

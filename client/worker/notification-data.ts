/** The messages between pages and the worker, and the details that a notification carries through the browser. */

/** The beginning of the tags of notifications about answers that did not leave. */
export const UNSENT = 'unsent'

/** The conversation of a message, as an answer is sent to it. */
export type AnswerPlace =
  /** All people of the conversation, the reader included. */
  | { readonly type: 'direct'; readonly to: readonly number[] }
  | { readonly type: 'channel'; readonly to: number; readonly topic: string }

/** In the language of the person: a worker has no catalogue, so pages and pushes bring them. */
export interface AnswerWords {
  readonly label: string
  readonly placeholder: string
  /** The notification of an answer that did not leave. Left out by earlier releases. */
  readonly unsent?: string
}

/** The message that a notification shows. */
export interface NotedMessage {
  readonly messageId: number
  readonly place: AnswerPlace
  /** The person who is notified. Left out by earlier releases. */
  readonly userId?: number
  /** Left out by earlier releases. */
  readonly answer?: AnswerWords
}

/** Details of a notification, for a click and for the next one of its conversation. */
export interface NotificationData {
  readonly navigate: string
  readonly messageIds: readonly number[]
  readonly lines: readonly string[]
  readonly place?: AnswerPlace | undefined
  readonly userId?: number | undefined
  readonly answer?: AnswerWords | undefined
}

/** A question for a page. The page answers when it has done it. */
export type PageQuestion =
  /** Show the number on the icon. */
  | { readonly kind: 'badge' }
  /** Take up what the worker has put into the outbox of a person. Pages of others do not answer. */
  | { readonly kind: 'outbox'; readonly userId: number }

/** The details that a notification carries through the browser. */

/** The conversation of a message, as an answer is sent to it. */
export interface AnswerPlace {
  readonly type: 'direct' | 'channel'
  readonly to: number | readonly number[]
  readonly topic?: string
}

/** Details of a notification, for a click and for the next one of its conversation. */
export interface NotificationData {
  readonly navigate: string
  readonly messageIds: readonly number[]
  readonly lines: readonly string[]
  readonly place?: AnswerPlace | undefined
}

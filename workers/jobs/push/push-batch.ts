/** A batch of pushes: the rows that they need are read together, and their results are written together. */

import type { PushedMessage, TakenPush } from '../../../db/notifications/pushes.ts'
import type { StoredReceiver, WebPushAnswer } from '../../../db/personal/web-push.ts'
import type { WebPushId } from '../../../server/domain/ids.ts'
import type { GroupedWrites } from './grouped-writes.ts'
import type { WebPushSender } from './web/post-web-push.ts'

/** A batch of pushes. */
export interface PushBatch {
  /** By the ids of pushes. */
  readonly messages: ReadonlyMap<number, PushedMessage>
  readonly receivers: ReadonlyMap<WebPushId, StoredReceiver>
  /** Undefined if the operator has turned web push off. */
  readonly sender: WebPushSender | undefined
  /** Pushes that were taken. */
  readonly shown: GroupedWrites<TakenPush>
  readonly answers: GroupedWrites<WebPushAnswer>
}

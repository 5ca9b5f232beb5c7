/** Deletes the messages that have outlived their retention, in small changes, with all other changes in between. */

import { setTimeout as wait } from 'node:timers/promises'
import {
  type ExpiringPlace,
  findExpiringPlaces,
  planExpiredInChannel,
  planExpiredInConversation,
} from '../../../db/messages/expired-messages.ts'
import { StaleDeletionError } from '../../../db/messages/message-deletion.ts'
import type { Sender } from '../../../server/changes/scheduled-messages/open-sender.ts'
import { submitForServer } from '../../../server/changes/submit.ts'
import { notifyChanged, readLeft } from '../../../server/changes/uploads/notify-uploads.ts'
import { decideExpiry, type Expired } from '../../../server/decisions/messages/expire-messages.ts'
import { nowSeconds } from '../../../server/domain/clock.ts'
import { expiryOf } from '../../../server/domain/messages/retention.ts'

/** Messages in one change: 500 held up sends for 75 ms at the 99th percentile of a busy machine, 200 for 52 (33 alone). */
const BATCH_LENGTH_MAX = 200
/** Their files: each is an event of its own. */
const UPLOADS_PER_BATCH_MAX = 500
/** Changes in one run: then other workers may go on, and the next run reads the settings again. */
const STEPS_MAX = 1_000
/** Tries for a place: each loses to a message that was sent, moved or deleted there within milliseconds. */
const TRIES_MAX = 20

/**
 * Deletes what has expired by the sender's clock; returns the number of messages. Concurrent runs are safe, and a run may
 * stop at any point: the next one goes on. After each change it waits as long as the change took, so that it never uses
 * more than half of the log's time.
 */
export async function deleteExpired(sender: Sender, signal: AbortSignal): Promise<number> {
  const { sql, clock } = sender.services
  await sender.catchUp()
  let total = 0
  let steps = 0
  for (const place of await findExpiringPlaces(sql, nowSeconds(clock))) {
    for (let tries = 0; tries < TRIES_MAX && steps < STEPS_MAX && !signal.aborted; steps++) {
      const startMs = performance.now()
      const count = await deleteNext(sender, place)
      if (count === 0) break
      total += count ?? 0
      tries = count === undefined ? tries + 1 : 0
      await sender.tell()
      await wait(performance.now() - startMs)
    }
  }
  return total
}

/** Deletes a place's next expired messages; returns their number, undefined if they have changed meanwhile. */
async function deleteNext({ services }: Sender, place: ExpiringPlace): Promise<number | undefined> {
  const expired = await planNext(services.sql, place, expiryOf(place.days, nowSeconds(services.clock)))
  if (!expired) return 0
  const left = await readLeft(uploadsOf(expired), services)
  try {
    const count = await submitForServer(services, (scope) => decideExpiry(scope, expired))
    await notifyChanged(left, services)
    return count
  } catch (error) {
    if (error instanceof StaleDeletionError) return undefined
    throw error
  }
}

async function planNext(
  sql: Sender['services']['sql'],
  place: ExpiringPlace,
  sentBefore: number,
): Promise<Expired | undefined> {
  for (let countMax = BATCH_LENGTH_MAX; ; countMax = Math.max(1, countMax >> 2)) {
    const expired: Expired | undefined =
      place.kind === 'channel'
        ? withKind('channel', await planExpiredInChannel(sql, place.channelId, sentBefore, countMax))
        : withKind('direct', await planExpiredInConversation(sql, place, sentBefore, countMax))
    if (!expired || countMax === 1 || uploadsOf(expired).length <= UPLOADS_PER_BATCH_MAX) return expired
  }
}

const withKind = <Kind extends string, Plan extends object>(kind: Kind, plan: Plan | undefined) =>
  plan && { kind, ...plan }

const uploadsOf = (expired: Expired) =>
  expired.kind === 'channel' ? expired.deletion.uploads : expired.uploads

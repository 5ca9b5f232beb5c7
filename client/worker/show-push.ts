/** A push: a notification, or the withdrawal of one whose messages were read; and the badge while no page shows it. */

import type { NotificationData } from './notification-data.ts'
import { type DeclaredNotification, inTurn, showNotification } from './show-notification.ts'

/** A message for the worker. */
export interface Push {
  readonly notification?: DeclaredNotification
  /** The tags of notifications to close. */
  readonly withdrawn?: readonly string[]
  /** How many messages were pushed and are unread; left out if the person wants no number. */
  readonly app_badge?: number
}

/**
 * Milliseconds from a withdrawal until its notifications close. Firefox looks for notifications of the site 3 s after each push
 * (`dom.push.quotaUpdateDelay`), and ends the subscription after at most 16 times without any since the last visit.
 */
const CLOSE_DELAY_MS = 4_000
const waitForFirefox = () => new Promise<void>((resolve) => setTimeout(resolve, CLOSE_DELAY_MS))

/**
 * Shows or closes notifications; resolves when the browser has done it.
 *
 * @param wait the time until withdrawn ones close. One that gets another message meanwhile stays.
 */
export async function takePush(
  registration: ServiceWorkerRegistration,
  { notification, withdrawn = [] }: Push,
  wait: () => Promise<void> = waitForFirefox,
): Promise<void> {
  const read = new Map<string, number | undefined>()
  await inTurn(async () => {
    for (const tag of withdrawn)
      for (const one of await registration.getNotifications({ tag })) read.set(tag, newestIn(one))
    if (notification) await showNotification(registration, notification)
  })
  if (read.size === 0) return
  await wait()
  await inTurn(async () => {
    for (const [tag, newest] of read)
      for (const one of await registration.getNotifications({ tag }))
        if (newestIn(one) === newest) one.close()
  })
}

/** The id of the last message that a notification shows. */
const newestIn = ({ data }: Notification) => (data as NotificationData | undefined)?.messageIds.at(-1)

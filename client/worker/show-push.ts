/** A push: a notification, or the withdrawal of one whose messages were read; and the badge while no page shows it. */

import { type DeclaredNotification, inTurn, showNotification } from './show-notification.ts'

/** A message for the worker. */
export interface Push {
  readonly notification?: DeclaredNotification
  /** The tags of notifications to close. */
  readonly withdrawn?: readonly string[]
  /** How many messages were pushed and are unread; left out if the person wants no number. */
  readonly app_badge?: number
}

/** Shows or closes notifications; resolves when the browser has done it. */
export async function takePush(registration: ServiceWorkerRegistration, push: Push): Promise<void> {
  await inTurn(async () => {
    for (const tag of push.withdrawn ?? [])
      for (const one of await registration.getNotifications({ tag })) one.close()
    if (push.notification) await showNotification(registration, push.notification)
  })
}

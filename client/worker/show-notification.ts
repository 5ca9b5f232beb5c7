/**
 * Shows a message. Notifications of a conversation replace each other and show its last lines, whether an open page asks for
 * them or a push does, and the same message from both makes one.
 */

import { noteDismissed, readDismissed } from '../app/dismissed.ts'
import { answerActions } from './answer-in-place.ts'
import { markOf } from './conversation-mark.ts'
import type { NotedMessage, NotificationData } from './notification-data.ts'

const ICON = '/app/icon-192.png'
/** Lines of a conversation that a notification shows. */
const LINES_MAX = 5
/** Messages of a conversation whose notification knows that it stands for them. */
const MESSAGES_MAX = 100

/** A notification in the form that some browsers show by themselves (Declarative Web Push). */
export interface DeclaredNotification {
  readonly title: string
  readonly body: string
  readonly navigate: string
  readonly tag: string
  /** Left out by a test notification. */
  readonly data?: NotedMessage
}

/** A notification that an open page asks for. */
export interface PageNotification extends Omit<DeclaredNotification, 'tag'> {
  readonly data: NotedMessage
}

let last: Promise<unknown> = Promise.resolve()

/** Does one thing with notifications after the other: the same message may come twice at the same moment. */
export function inTurn(task: () => Promise<void>): Promise<void> {
  const done = last.then(task)
  last = done.catch(() => undefined)
  return done
}

/** Shows a message for an open page, which makes the sound itself. */
export async function showForPage(
  registration: ServiceWorkerRegistration,
  notification: PageNotification,
): Promise<void> {
  // Some browsers have no push, or refuse the question: the page shows its messages all the same.
  const { pushManager } = registration as { readonly pushManager?: PushManager }
  const subscription = (await pushManager?.getSubscription().catch(() => null)) ?? null
  const tag = await markOf(notification.data.place, subscription)
  await showNotification(registration, { ...notification, tag }, { isSilent: true })
}

/**
 * Shows a message; one that its notification has already makes no noise again, and one that somebody has dismissed does not come
 * back. A push that shows nothing is like a withdrawal without a notification: browsers bear some of them.
 */
export async function showNotification(
  registration: ServiceWorkerRegistration,
  { title, body, navigate, tag, data }: DeclaredNotification,
  { isSilent = false } = {},
): Promise<void> {
  const [former] = await registration.getNotifications({ tag })
  const known = former?.data as NotificationData | undefined
  const messageId = data?.messageId
  if (await wasDismissed(data)) return
  const isKnown = messageId !== undefined && known?.messageIds.includes(messageId) === true
  const lines = isKnown ? known.lines : [...(known?.lines ?? []), body].slice(-LINES_MAX)
  const messageIds =
    isKnown || messageId === undefined ? (known?.messageIds ?? []) : [...(known?.messageIds ?? []), messageId]
  const details: NotificationData = {
    navigate: isKnown ? known.navigate : navigate,
    messageIds: messageIds.slice(-MESSAGES_MAX),
    lines,
    place: data?.place,
    userId: data?.userId,
    answer: data?.answer,
  }
  await registration.showNotification(title, {
    body: lines.join('\n'),
    icon: ICON,
    badge: ICON,
    tag,
    data: details,
    renotify: !isKnown,
    silent: isKnown || isSilent,
    actions: data?.place ? answerActions(data.answer) : [],
  } as NotificationOptions)
}

async function wasDismissed({ userId, messageId }: Partial<NotedMessage> = {}): Promise<boolean> {
  if (userId === undefined || messageId === undefined) return false
  // A browser that refuses storage has none.
  const dismissed = await readDismissed(userId).catch((): number[] => [])
  return dismissed.includes(messageId)
}

/** Notes the messages of a notification that somebody has closed or clicked. */
export function dismiss({ userId, messageIds = [] }: Partial<NotificationData>): Promise<void> {
  if (userId === undefined || messageIds.length === 0) return Promise.resolve()
  return inTurn(() => noteDismissed(userId, messageIds).catch(() => undefined))
}

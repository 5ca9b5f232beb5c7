/**
 * A push: a notification in the form that some browsers show by themselves (Declarative Web Push), or the withdrawal of one
 * that was read. Notifications of a conversation replace each other, and show its last lines.
 */

import { answerActions, type AnswerWords } from './answer-in-place.ts'
import type { AnswerPlace, NotificationData } from './notification-data.ts'

const ICON = '/app/icon-192.png'
/** Lines of a conversation that a notification shows. */
const LINES_MAX = 5

/** A message for the worker. */
export interface Push {
  readonly notification?: DeclaredNotification
  /** The tags of notifications to close. */
  readonly withdrawn?: readonly string[]
  readonly app_badge?: number
}

interface DeclaredNotification {
  readonly title: string
  readonly body: string
  readonly navigate: string
  readonly tag: string
  readonly data?: {
    readonly messageId: number
    readonly place: AnswerPlace
    /** Left out by earlier releases. */
    readonly answer?: AnswerWords
  }
}

/** Shows or closes notifications; resolves when the browser has done it. */
export async function takePush(registration: ServiceWorkerRegistration, push: Push): Promise<void> {
  // Nothing waits for the number: some systems never answer.
  if (push.app_badge !== undefined) showBadge(push.app_badge)
  for (const tag of push.withdrawn ?? [])
    for (const one of await registration.getNotifications({ tag })) one.close()
  if (push.notification) await show(registration, push.notification)
}

async function show(
  registration: ServiceWorkerRegistration,
  { title, body, navigate, tag, data }: DeclaredNotification,
): Promise<void> {
  const [former] = await registration.getNotifications({ tag })
  const known = former?.data as NotificationData | undefined
  const messageId = data?.messageId
  // A service may deliver the same push twice.
  const isKnown = messageId !== undefined && known?.messageIds.includes(messageId) === true
  const lines = isKnown ? known.lines : [...(known?.lines ?? []), body].slice(-LINES_MAX)
  const messageIds =
    isKnown || messageId === undefined ? (known?.messageIds ?? []) : [...(known?.messageIds ?? []), messageId]
  const details: NotificationData = {
    navigate: isKnown ? known.navigate : navigate,
    messageIds: messageIds.slice(-LINES_MAX),
    lines,
    place: data?.place,
  }
  await registration.showNotification(title, {
    body: lines.join('\n'),
    icon: ICON,
    badge: ICON,
    tag,
    data: details,
    renotify: !isKnown,
    silent: isKnown,
    actions: data?.place ? answerActions(data.answer) : [],
  } as NotificationOptions)
}

function showBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return
  // A page that is not installed is refused.
  navigator.setAppBadge(count).catch(() => undefined)
}

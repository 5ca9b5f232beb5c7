/** The service worker's side of pushes, with a browser that keeps a list of its notifications. */

import t from 'tap'
import type { NotificationData } from '../../../client/worker/notification-data.ts'
import { type Push, takePush } from '../../../client/worker/show-push.ts'

/** The notifications that stand, as a browser with a window shows them: those with a tag replace each other. */
function openBrowser() {
  const shown: (NotificationOptions & { title: string; close(): void })[] = []
  const registration = {
    async showNotification(title: string, options: NotificationOptions = {}) {
      const index = shown.findIndex(({ tag }) => tag === options.tag)
      if (index >= 0) shown.splice(index, 1)
      const one = { ...options, title, close: () => void shown.splice(shown.indexOf(one), 1) }
      shown.push(one)
    },
    getNotifications: async ({ tag }: { tag?: string } = {}) =>
      shown.filter((one) => tag === undefined || one.tag === tag),
  }
  return { shown, take: (push: Push) => takePush(registration as unknown as ServiceWorkerRegistration, push) }
}

const navigateOf = (one: NotificationOptions | undefined) =>
  (one?.data as NotificationData | undefined)?.navigate

const messageOf = (messageId: number, body: string, tag = 'deck'): Push => ({
  app_badge: 1,
  notification: {
    title: 'The owner',
    body,
    tag,
    navigate: `https://chat.example.com/#narrow/dm/1/near/${messageId}`,
    data: { messageId, place: { type: 'direct', to: [1, 4] } },
  },
})

t.test('[SHOWN1] notifications of a conversation become one with its last lines', async (t) => {
  const { shown, take } = openBrowser()
  await take(messageOf(1, 'one'))
  await take(messageOf(2, 'two'))
  await take(messageOf(3, 'elsewhere', 'bridge'))
  t.match(shown, [
    { title: 'The owner', body: 'one\ntwo', tag: 'deck', renotify: true, silent: false },
    { body: 'elsewhere', tag: 'bridge' },
  ])
  t.equal(navigateOf(shown[0]), 'https://chat.example.com/#narrow/dm/1/near/2')
  for (let id = 4; id < 10; id++) await take(messageOf(id, `line ${id}`))
  t.equal(shown.at(-1)?.body, 'line 5\nline 6\nline 7\nline 8\nline 9')
})

t.test('[SHOWN2] a message that is pushed twice is shown once, and makes no noise again', async (t) => {
  const { shown, take } = openBrowser()
  await take(messageOf(1, 'one'))
  await take(messageOf(2, 'two'))
  await take(messageOf(1, 'one'))
  t.match(shown, [{ body: 'one\ntwo', renotify: false, silent: true }])
  t.match(navigateOf(shown[0]), /near\/2$/)
})

t.test('[SHOWN3] a withdrawal closes the notification of its conversation alone', async (t) => {
  const { shown, take } = openBrowser()
  await take(messageOf(1, 'one'))
  await take(messageOf(2, 'two', 'bridge'))
  await take({ withdrawn: ['deck'], app_badge: 1 })
  t.match(shown, [{ body: 'two' }])
  t.equal(shown.length, 1)
  await take({ withdrawn: ['deck', 'bridge'], app_badge: 0 })
  t.same(shown, [])
})

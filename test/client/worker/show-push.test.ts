/** The service worker's side of pushes, with a browser that keeps a list of its notifications. */

import t from 'tap'
import { markOf } from '../../../client/worker/conversation-mark.ts'
import type { NotificationData } from '../../../client/worker/notification-data.ts'
import { showForPage } from '../../../client/worker/show-notification.ts'
import { type Push, takePush } from '../../../client/worker/show-push.ts'
import type { ChannelId, UserId } from '../../../server/domain/ids.ts'
import { markOf as markOnServer } from '../../../workers/jobs/push/compose-push.ts'

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
    pushManager: { getSubscription: async () => SUBSCRIPTION },
    getNotifications: async ({ tag }: { tag?: string } = {}) =>
      shown.filter((one) => tag === undefined || one.tag === tag),
  }
  const worker = registration as unknown as ServiceWorkerRegistration
  return {
    shown,
    take: (push: Push, wait = async () => {}) => takePush(worker, push, wait),
    /** As an open page asks for it. */
    note: (messageId: number, body: string) => {
      const { title, navigate, data } = messageOf(messageId, body).notification ?? fail()
      return showForPage(worker, { title, body, navigate, data: data ?? fail() })
    },
  }
}

function fail(): never {
  throw new Error('a message has all of it')
}

const SECRET = Buffer.from('sixteen secret b')
const SUBSCRIPTION = {
  getKey: () => SECRET.buffer.slice(SECRET.byteOffset, SECRET.byteOffset + SECRET.length),
} as unknown as PushSubscription

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

t.test('[SHOWN6] a notification that gets another message before its withdrawal is over stays', async (t) => {
  const { shown, take } = openBrowser()
  await take(messageOf(1, 'one'))
  await take(messageOf(2, 'two', 'bridge'))
  const { promise: waits, resolve: go } = Promise.withResolvers<void>()
  const withdrawal = take({ withdrawn: ['deck', 'bridge'] }, () => waits)
  await take(messageOf(3, 'three'))
  t.match(shown, [{ body: 'two' }, { body: 'one\nthree' }], 'both stand while Firefox looks')
  go()
  await withdrawal
  t.match(shown, [{ body: 'one\nthree' }])
  t.equal(shown.length, 1)
})

t.test('[SHOWN4] a notification of an open page and a push of the same conversation are one', async (t) => {
  const { shown, take, note } = openBrowser()
  const tag = markOnServer({ channelId: null, topic: '', userIds: [4, 1] as UserId[] }, SECRET)
  await note(1, 'one')
  t.match(shown, [{ body: 'one', tag, silent: true }], 'the page makes the sound')
  await take(messageOf(1, 'one', tag))
  t.match(shown, [{ body: 'one', silent: true, renotify: false }])
  await take(messageOf(2, 'two', tag))
  await note(2, 'two')
  t.match(shown, [{ body: 'one\ntwo', silent: true, renotify: false }])
  t.equal(shown.length, 1)
  await take({ withdrawn: [tag] })
  t.same(shown, [])
})

t.test(
  '[SHOWN5] the server and the client make the same mark of a conversation, by the secret',
  async (t) => {
    const topics = ['', 'deck', 'Deck', 'ΟΔΟΣ', 'İstanbul', '✔ done', 'x'.repeat(60)]
    for (const topic of topics)
      t.equal(
        await markOf({ type: 'channel', to: 7, topic }, SUBSCRIPTION),
        markOnServer({ channelId: 7 as ChannelId, topic, userIds: null }, SECRET),
        topic,
      )
    for (const userIds of [[4], [1, 4], [12, 1, 4]])
      t.equal(
        await markOf({ type: 'direct', to: userIds.toReversed() }, SUBSCRIPTION),
        markOnServer({ channelId: null, topic: '', userIds: userIds as UserId[] }, SECRET),
      )
    const deck = { type: 'channel', to: 7, topic: 'deck' } as const
    t.equal(await markOf(deck, SUBSCRIPTION), await markOf({ ...deck, topic: 'DECK' }, SUBSCRIPTION))
    t.not(await markOf(deck, SUBSCRIPTION), await markOf(deck, null))
    t.match(await markOf(deck, null), /^[\w-]{32}$/)
  },
)

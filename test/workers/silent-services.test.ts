/** Push services that hang: they get one request at a time, and hold up no others. */

import { BlockList } from 'node:net'
import t from 'tap'
import { GuardedFetch } from '../../server/outbound/guarded-fetch.ts'
import { makeServerKey } from '../../server/outbound/web-push-keys.ts'
import { postWebPush } from '../../workers/jobs/push/web/post-web-push.ts'
import { SilentServices } from '../../workers/jobs/push/web/silent-services.ts'
import { Vapid } from '../../workers/jobs/push/web/vapid.ts'
import { type PushBrowser, startPushService } from '../harness/providers/start-push-service.ts'
import { pollUntil } from '../services/poll-until.ts'

/** Milliseconds that a service may take, and one more. */
const LONG_MS = 2_001

t.test('[WEBPUSH22] a push service that hangs is asked one at a time, until it answers', async (t) => {
  const [hanging, other] = [await startPushService(t), await startPushService(t)]
  const networks = new BlockList()
  networks.addAddress('127.0.0.1')
  let nowMs = 1_000
  const sender = {
    fetch: new GuardedFetch({ networks, hosts: [] }, { reusesConnections: true }),
    vapid: new Vapid(makeServerKey(), 'mailto:operator@example.org'),
    silent: new SilentServices(() => nowMs),
  }
  const post = ({ fields: { endpoint, p256dh, auth } }: PushBrowser) => {
    const keys = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') }
    const message = { plain: Buffer.from('hello'), urgency: 'high', ttlSeconds: 60 } as const
    return postWebPush(sender, { endpoint, ...keys }, message)
  }
  const [held, next, elsewhere] = [hanging.subscribe(), hanging.subscribe(), other.subscribe()]
  const gate = Promise.withResolvers<void>()
  held.gate = gate.promise

  const first = post(held)
  await pollUntil('it waits', () => held.asked === 1)
  nowMs++
  t.match(await post(next), { kind: 'taken' }, 'one that waits is no reason')
  const second = post(held)
  await pollUntil('it waits, too', () => held.asked === 2)
  nowMs += LONG_MS
  t.match(await post(next), { kind: 'taken' }, 'nor is an old one, since another was answered meanwhile')
  held.odd = 'broken'
  const third = post(held)
  await pollUntil('a third waits', () => held.asked === 3)
  gate.resolve()
  t.match(await Promise.all([first, second]), [{ kind: 'taken' }, { kind: 'taken' }])
  t.match(await third, { kind: 'later', answer: 'no answer' })
  t.match(await post(next), { kind: 'taken' }, 'a cut connection is no silence')

  held.odd = undefined
  const shut = Promise.withResolvers<void>()
  held.gate = shut.promise
  const silent = post(held)
  await pollUntil('it waits', () => held.asked === 4)
  nowMs += LONG_MS
  t.same(await post(next), { kind: 'later', answer: 'no answer', afterSeconds: undefined }, 'it is silent')
  t.equal(next.asked, 3, 'and was not asked')
  t.match(await post(elsewhere), { kind: 'taken' }, 'others are')
  held.odd = 'broken'
  shut.resolve()
  t.match(await silent, { kind: 'taken' })
  t.match(await post(next), { kind: 'taken' }, 'until it answers')

  const lost = Promise.withResolvers<void>()
  held.gate = lost.promise
  const ends = post(held)
  await pollUntil('it waits', () => held.asked === 5)
  nowMs += LONG_MS
  lost.resolve()
  t.match(await ends, { kind: 'later' }, 'its request ends without an answer')
  held.gate = undefined
  held.odd = undefined
  const probe = Promise.withResolvers<void>()
  next.gate = probe.promise
  const asked = post(next)
  await pollUntil('one request finds out', () => next.asked === 5)
  t.match(await post(held), { kind: 'later' }, 'and no other goes along')
  probe.resolve()
  t.match(await asked, { kind: 'taken' })
  t.match(await post(held), { kind: 'taken' })
  t.same([hanging.faults, other.faults], [[], []])
})

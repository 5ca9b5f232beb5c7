import t from 'tap'
import { addUser, deactivate } from '../harness/add-user.ts'
import { ManualClock } from '../harness/manual-clock.ts'
import { expectRefusal } from '../harness/expect-refusal.ts'
import { startTestServer } from '../harness/start-server.ts'

const NOW_SECONDS = 1_800_000_000
const server = await startTestServer(t, { clock: new ManualClock(NOW_SECONDS * 1000) })
const owner = server.as('owner')
const member = server.as('member')

t.test('[SUBS1] the subscriptions of the caller, whole', async (t) => {
  t.same(await member.must('GET', '/users/me/subscriptions'), {
    result: 'success',
    msg: '',
    subscriptions: [],
  })
  await member.subscribe(['mine'], { invite_only: true, principals: [4, 6] })
  await owner.subscribe(['not mine'])
  const { subscriptions } = await member.must('GET', '/users/me/subscriptions')
  t.same(subscriptions, [
    {
      stream_id: 1,
      name: 'mine',
      is_archived: false,
      description: '',
      rendered_description: '',
      date_created: NOW_SECONDS,
      creator_id: member.userId,
      invite_only: true,
      is_web_public: false,
      stream_post_policy: 1,
      is_announcement_only: false,
      message_retention_days: null,
      history_public_to_subscribers: false,
      topics_policy: 'inherit',
      first_message_id: null,
      folder_id: null,
      is_recently_active: true,
      stream_weekly_traffic: null,
      subscriber_count: 2,
      desktop_notifications: null,
      email_notifications: null,
      wildcard_mentions_notify: null,
      push_notifications: null,
      audible_notifications: null,
      pin_to_top: false,
      is_muted: false,
      in_home_view: true,
      color: subscriptions[0].color,
    },
  ])
  t.match(subscriptions[0].color, /^#[0-9a-f]{6}$/)
})

t.test('[SUBS2] subscribers are listed where asked for, the active ones alone', async (t) => {
  const gone = await addUser(server, 'gone')
  await member.subscribe(['mine'], { principals: [gone.userId] })
  const list = async (include_subscribers?: string) => {
    const body = await member.must('GET', '/users/me/subscriptions', { include_subscribers })
    return body.subscriptions[0]
  }
  t.same((await list('true')).subscribers, [4, 6, gone.userId])
  await deactivate(server, gone.userId)
  t.match(await list('true'), { subscribers: [4, 6], subscriber_count: 2 })
  t.match(await list('partial'), { subscribers: [4, 6] })
  t.notOk('subscribers' in (await list('false')))
  t.notOk('subscribers' in (await list()))
  for (const bad of ['yes', '"true"', '1', '']) {
    expectRefusal(
      t,
      await member.get('/users/me/subscriptions', { include_subscribers: bad }),
      'Invalid include_subscribers',
    )
  }
})

t.test('[SUBS3] the first message of a channel is told', async (t) => {
  const id = await member.send('mine', 'topic', 'first')
  await member.send('mine', 'topic', 'second')
  const { subscriptions } = await server.as('guest').must('GET', '/users/me/subscriptions')
  t.match(subscriptions, [{ name: 'mine', first_message_id: id }])
})

t.test(
  '[SUBS4] a channel counts as active for 180 days after its last message, or after its making',
  async (t) => {
    const clock = new ManualClock(NOW_SECONDS * 1000)
    const server = await startTestServer(t, { clock })
    const owner = server.as('owner')
    const DAYS_MS = 24 * 3600 * 1000
    const active = async () => {
      const { subscriptions } = await owner.must('GET', '/users/me/subscriptions')
      return subscriptions.map((one: any) => one.is_recently_active)
    }
    await owner.subscribe(['spoken in', 'silent'])
    clock.leap(100 * DAYS_MS)
    await owner.send('spoken in', 'topic', 'hello')
    clock.leap(79 * DAYS_MS)
    t.same(await active(), [true, true])
    clock.leap(1 * DAYS_MS)
    t.same(await active(), [true, false])
    clock.leap(100 * DAYS_MS)
    t.same(await active(), [false, false])
  },
)

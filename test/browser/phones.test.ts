/** The phones of a person, on the page "Devices and notifications" and in its operation. */

import t from 'tap'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import { startPushRelay } from '../harness/providers/start-push-relay.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startTeam } from './team.ts'

const relay = await startPushRelay(t)
const { server, openAs } = await startTeam(t, relay.env)
const worker = await startWorker({ config: server.config, logger: createLogger('silent') })
t.teardown(() => worker.close())
const [owner, member] = [server.as('owner'), server.as('member')]
await member.must('PATCH', '/settings', { enable_offline_push_notifications: true })
const phonesOf = async (one = member) => (await one.must('GET', '/users/me/web_push')).phones

t.test(
  '[PHONES1] the phones of a user are listed with the last answer of the relay, for the user alone',
  async (t) => {
    t.same(await phonesOf(), [])
    const phone = relay.createPhone('apns')
    relay.odd = { status: 503 }
    const { device_id } = await member.must('POST', '/register_client_device')
    await member.must('POST', '/mobile_push/register', {
      device_id,
      ...phone.keyFields,
      ...phone.tokenFields,
    })
    t.match(await phonesOf(), [
      { device_id, kind: 'apns', is_registered: false, last_success_at: null, last_answer: null },
    ])
    relay.odd = undefined
    await pollUntil('it is registered', async () => (await phonesOf())[0]?.is_registered)
    await owner.must('POST', '/messages', { type: 'direct', to: [member.userId], content: 'Hello' })
    await pollUntil('it is reached', async () => (await phonesOf())[0]?.last_answer === '200')
    const [reached] = await phonesOf()
    t.ok((reached?.last_success_at ?? 0) >= (reached?.registered_at ?? Number.NaN))
    relay.odd = 'broken'
    await owner.must('POST', '/messages', { type: 'direct', to: [member.userId], content: 'And now?' })
    await pollUntil('it is not', async () => (await phonesOf())[0]?.last_answer === 'no answer')
    t.equal((await phonesOf())[0]?.last_success_at, reached?.last_success_at)
    relay.odd = undefined
    await member.must('POST', '/users/me/android_push_reg_id', { token: 'an Android token' })
    await pollUntil('an older app is there', async () =>
      (await phonesOf()).some((one) => one.device_id === null && one.kind === 'fcm' && one.is_registered),
    )
    t.same(await phonesOf(owner), [])
  },
)

t.test('[PHONES2] the page shows them, when they were reached, and sends a test to each', async (t) => {
  const page = await openAs(t, 'member', { path: '/#settings/sessions' })
  const card = page.locator('.card', { hasText: 'iPhone or iPad' })
  await card.waitFor()
  const older = page.locator('.card', { hasText: 'Android phone' })
  await older.getByText('not reached yet').waitFor()
  await older.getByRole('button', { name: 'Send test' }).click()
  await older.getByText(/^reached/).waitFor()
  relay.odd = { status: 500 }
  await card.getByRole('button', { name: 'Send test' }).click()
  await card.getByText('last answer of the push relay: failed').waitFor()
  relay.odd = undefined
  await card.getByRole('button', { name: 'Send test' }).click()
  await card.getByText('last answer of the push relay').waitFor({ state: 'detached' })
  t.equal((await phonesOf()).find((one) => one.kind === 'apns')?.last_answer, '200')
})

/** Small operations that the API family has for its web client, and that bots use. */

import t from 'tap'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'
import { drawImage, mustUpload } from '../../harness/client/upload.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t)
const { url } = server.node
const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
const done = { result: 'success', msg: '' }

/** An answer to GET that is not followed. */
const ask = async (path: string, { authorization } = member) => {
  const answer = await fetch(url + path, { headers: { authorization }, redirect: 'manual' })
  return { status: answer.status, location: answer.headers.get('location'), body: await answer.json() }
}

t.test('[WEBROUTE1] the picture of a user is found by id or address, in two sizes', async (t) => {
  const { avatar_url: own } = await mustUpload(owner, '/users/me/avatar', await drawImage('red'))
  const { avatar_url: drawn } = (await member.must('GET', '/users/6', { client_gravatar: false })).user
  for (const base of ['', '/api/v1', '/json']) {
    for (const name of ['1', emailOf('owner'), encodeURIComponent(emailOf('owner')), 'OWNER@example.com']) {
      t.match(await ask(`${base}/avatar/${name}`), { status: 302, location: own, body: done }, base + name)
    }
    const medium = own.replace('.png', '-medium.png')
    t.match(await ask(`${base}/avatar/1/medium`), { status: 302, location: medium })
    t.match(await ask(`${base}/avatar/6`), { status: 302, location: drawn })
  }
  for (const location of [own, drawn]) t.equal((await fetch(url + location)).status, 200)
  const browser = new Browser(url)
  t.equal((await browser.send('GET', '/avatar/1')).status, 401)
  t.equal((await fetch(`${url}/avatar/1`)).status, 401)
})

t.test('[WEBROUTE2] users whom the caller does not know have no picture, like absent ones', async (t) => {
  await owner.must('PATCH', '/realm', { can_access_all_users_group: { new: 5 } })
  const absent = { status: 400, body: { code: 'BAD_REQUEST', msg: 'No such user' } }
  for (const path of ['1', emailOf('owner'), '99', '0', 'nobody@example.com', 'x', '1/medium']) {
    t.match(await ask(`/avatar/${path}`, guest), absent, path)
  }
  t.match(await ask('/avatar/6', guest), { status: 302 })
  t.match(await ask('/avatar/1', member), { status: 302 })
  await owner.must('PATCH', '/realm', { can_access_all_users_group: { new: 6 } })
  for (const path of ['/avatar/', '/avatar/1/large', '/avatar/1/medium/x', '/avatar/%ff'])
    t.equal((await ask(path)).status, 404, path)
  const post = await fetch(`${url}/avatar/1`, {
    method: 'POST',
    headers: { authorization: member.authorization },
  })
  t.equal(post.status, 405)
})

t.test('[WEBROUTE3] one setting of one subscription changes by its own path', async (t) => {
  await member.subscribe(['town'])
  const id = channelIdOf(server, 'town')
  const change = (property: unknown, value: unknown, channel: number = id) =>
    member.patch(`/users/me/subscriptions/${channel}`, { property, value })
  const events = await expectConsistent(server, async () => {
    t.same((await change('pin_to_top', true)).body, done)
    t.same((await change('color', '#00ff00')).body, done)
    t.same((await change('color', '"#00ff01"')).body, done)
    t.same((await change('in_home_view', false)).body, done)
  })
  const event = (property: string, value: unknown) => ({
    type: 'subscription',
    op: 'update',
    stream_id: id,
    property,
    value,
  })
  t.same(withoutIds(events.member), [
    event('pin_to_top', true),
    event('color', '#00ff00'),
    event('color', '#00ff01'),
    event('is_muted', true),
    event('in_home_view', false),
  ])
  t.same(events.owner, [])
  expectRefusal(t, await change('shape', true), 'Unknown subscription property: shape')
  expectRefusal(t, await change('pin_to_top', 'x'), 'pin_to_top is not a boolean')
  expectRefusal(t, await change('color', 'red'), 'color is not a valid hex color code')
  const missing = { code: 'REQUEST_VARIABLE_MISSING', var_name: 'value' }
  expectRefusal(t, await change('color', undefined), "Missing 'value' argument", missing)
  await owner.subscribe(['elsewhere'])
  const notSubscribed = (await change('pin_to_top', true, channelIdOf(server, 'elsewhere'))).body
  t.equal(notSubscribed.result, 'error')
  t.same(
    (await change('pin_to_top', true, 99)).body.code,
    notSubscribed.code,
    'absent and foreign look alike',
  )
})

t.test('[WEBROUTE4] hints for new users are all read; an unknown one is refused', async (t) => {
  const { onboarding_steps } = await member.must('POST', '/register', {
    fetch_event_types: ['onboarding_steps'],
  })
  t.same(onboarding_steps, [])
  const mark = (onboarding_step?: string) => member.post('/users/me/onboarding_steps', { onboarding_step })
  t.same((await mark('intro_inbox_view_modal')).body, done)
  t.same((await mark('intro_inbox_view_modal')).body, done)
  expectRefusal(t, await mark('no_such_step'), 'Unknown onboarding_step: no_such_step')
  expectRefusal(t, await mark('x'.repeat(51)), 'onboarding_step is too long (limit: 50 characters)')
  const missing = { code: 'REQUEST_VARIABLE_MISSING', var_name: 'onboarding_step' }
  expectRefusal(t, await mark(), "Missing 'onboarding_step' argument", missing)
})

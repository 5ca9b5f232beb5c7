/** The icon and the logos of the organization. */

import sharp from 'sharp'
import t from 'tap'
import type { Client } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { drawAnimation, drawBomb, drawImage, mustUpload, upload } from '../../harness/client/upload.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import type { Named } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const { url } = server.node
const owner = server.as('owner')
const administrator = server.as('administrator')
const red = await drawImage('red', { width: 300, height: 90 })
const MIB = 1024 * 1024
const DEFAULT_ICON = '/static/images/organization.png'
const DEFAULTS = {
  realm_icon_url: DEFAULT_ICON,
  realm_icon_source: 'G',
  realm_logo_url: '',
  realm_logo_source: 'D',
  realm_night_logo_url: '',
  realm_night_logo_source: 'D',
}
const REFUSED = 'Must be an organization administrator'

const logo = (client: Client, night: boolean | undefined, files = [red]) =>
  client.upload('/realm/logo', files, 'POST', night === undefined ? {} : { night: String(night) })
const stateOf = async (client: Client) => {
  const { state } = await client.register({ fetch_event_types: ['realm'] })
  return Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, (state as Named)[name]]))
}
const sizeOf = async (path: string) => {
  const response = await fetch(url + path)
  const picture = Buffer.from(await response.arrayBuffer())
  const { format, width, height } = await sharp(picture).metadata()
  return { status: response.status, cache: response.headers.get('cache-control'), format, width, height }
}
/** The address to which a GET leads. */
const leadsTo = async (path: string) => {
  const response = await fetch(`${url}/api/v1${path}`, { redirect: 'manual' })
  t.equal(response.status, 302, path)
  return response.headers.get('location')
}

t.test('[ORGPIC1] an uploaded icon is shown to everyone, by an event, and before a log-in', async (t) => {
  t.same(await stateOf(owner), DEFAULTS)
  t.equal(await leadsTo('/realm/icon'), DEFAULT_ICON)
  let icon_url = ''
  const events = await expectConsistent(server, async () => {
    icon_url = (await mustUpload(administrator, '/realm/icon', red)).icon_url
  })
  t.match(icon_url, /^\/user_avatars\/1\/realm\/[0-9a-f]{32}\/icon\.png$/)
  const data = { icon_url, icon_source: 'U' }
  for (const [person, received] of Object.entries(events)) {
    t.same(withoutIds(received), [{ type: 'realm', op: 'update_dict', property: 'icon', data }], person)
  }
  t.same(await stateOf(server.as('guest')), {
    ...DEFAULTS,
    realm_icon_url: icon_url,
    realm_icon_source: 'U',
  })
  t.equal((await server.anyone.must('GET', '/server_settings')).realm_icon, icon_url)
  t.equal(await leadsTo('/realm/icon'), icon_url)
  const { cache, ...size } = await sizeOf(icon_url)
  t.same(size, { status: 200, format: 'png', width: 200, height: 200 })
  t.match(cache, /immutable/)
  t.equal((await fetch(url + icon_url.replace('icon.png', 'logo.png'))).status, 404)
})

t.test('[ORGPIC2] another icon replaces the former, and a removal shows that of the server', async (t) => {
  const { icon_url: former } = await mustUpload(owner, '/realm/icon', red)
  const { icon_url: next } = await mustUpload(owner, '/realm/icon', await drawAnimation(['blue', 'red']))
  t.not(former, next)
  t.equal((await fetch(url + former)).status, 404)
  const events = await expectConsistent(server, async () => {
    const { body } = await owner.delete('/realm/icon')
    t.same(body, { result: 'success', msg: '', icon_url: DEFAULT_ICON })
    // Once more changes nothing.
    t.equal((await owner.delete('/realm/icon')).status, 200)
  })
  const data = { icon_url: DEFAULT_ICON, icon_source: 'G' }
  t.same(withoutIds(events.member), [{ type: 'realm', op: 'update_dict', property: 'icon', data }])
  t.equal((await fetch(url + next)).status, 404)
  t.same(await stateOf(owner), DEFAULTS)
})

t.test('[ORGPIC3] logos for light and dark themes are pictures of their own', async (t) => {
  const wide = await drawImage('blue', { width: 2_000, height: 400 })
  t.equal(await leadsTo('/realm/logo?night=false'), DEFAULT_ICON, 'there is no other picture')
  const events = await expectConsistent(server, async () => {
    t.same((await logo(owner, false, [wide])).body, { result: 'success', msg: '' })
    t.same((await logo(owner, true)).body, { result: 'success', msg: '' })
  })
  const state = await stateOf(owner)
  t.match(state, { realm_icon_source: 'G', realm_logo_source: 'U', realm_night_logo_source: 'U' })
  const [light, dark] = [String(state.realm_logo_url), String(state.realm_night_logo_url)]
  const event = (property: string, data: object) => ({ type: 'realm', op: 'update_dict', property, data })
  t.same(withoutIds(events.guest), [
    event('logo', { logo_url: light, logo_source: 'U' }),
    event('night_logo', { night_logo_url: dark, night_logo_source: 'U' }),
  ])
  t.match(await sizeOf(light), { status: 200, format: 'png', width: 500, height: 100 })
  t.match(await sizeOf(dark), { width: 300, height: 90 }, 'a small one is not enlarged')
  t.equal(await leadsTo('/realm/logo?night=false'), light)
  t.equal(await leadsTo('/realm/logo?night=true'), dark)
  await owner.must('DELETE', '/realm/logo', { night: true })
  t.match(await stateOf(owner), {
    realm_logo_url: light,
    realm_night_logo_url: '',
    realm_night_logo_source: 'D',
  })
  t.equal(await leadsTo('/realm/logo?night=true'), light)
  await owner.must('DELETE', '/realm/logo', { night: false })
  t.same(await stateOf(owner), DEFAULTS)
})

t.test('[ORGPIC4] only administrators change the pictures', async (t) => {
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    const client = server.as(person)
    expectRefusal(t, await upload(client, '/realm/icon', [red]), REFUSED)
    expectRefusal(t, await client.delete('/realm/icon'), REFUSED)
    expectRefusal(t, await logo(client, false), REFUSED)
    expectRefusal(t, await client.delete('/realm/logo', { night: true }), REFUSED)
  }
  t.equal((await upload(server.anyone, '/realm/icon', [red])).status, 401)
  t.equal((await server.anyone.delete('/realm/logo', { night: true })).status, 401)
  t.same(await stateOf(owner), DEFAULTS)
})

t.test('[ORGPIC5] a file is needed, of a picture, of at most 5 MiB', async (t) => {
  const icons = (files: Uint8Array[]) => upload(owner, '/realm/icon', files)
  expectRefusal(t, await icons([]), 'You must upload exactly one icon.')
  expectRefusal(t, await icons([red, red]), 'You must upload exactly one icon.')
  expectRefusal(t, await logo(owner, true, []), 'You must upload exactly one logo.')
  expectRefusal(t, await logo(owner, true, [red, red]), 'You must upload exactly one logo.')
  const missing = { code: 'REQUEST_VARIABLE_MISSING', var_name: 'night' }
  expectRefusal(t, await logo(owner, undefined), "Missing 'night' argument", missing)
  expectRefusal(t, await owner.delete('/realm/logo'), "Missing 'night' argument", missing)
  const text = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  const cut = red.subarray(0, red.length / 2)
  // White space behind the end of a picture makes it as large as needed.
  const padded = (bytes: number) => Buffer.concat([red, Buffer.alloc(bytes - red.length)])
  for (const send of [icons, (files: Uint8Array[]) => logo(owner, false, files as Buffer[])]) {
    expectRefusal(t, await send([text]), 'Invalid image format')
    expectRefusal(t, await send([cut]), 'Could not decode image; did you upload an image file?')
    expectRefusal(t, await send([drawBomb()]), 'Image size exceeds limit.')
    const large = 'Uploaded file is larger than the allowed limit of 5 MiB'
    expectRefusal(t, await send([padded(5 * MIB + 1)]), large)
    t.equal((await send([padded(5 * MIB)])).status, 200)
  }
  const { state } = await owner.register({ fetch_event_types: ['realm'] })
  t.match(state, { max_icon_file_size_mib: 5, max_logo_file_size_mib: 5 })
})

t.test('[ORGPIC6] the pictures outlive a restart, and none is removed as unused', async (t) => {
  const { icon_url } = await mustUpload(owner, '/realm/icon', red)
  await server.node.services.sql`update pictures set stored_at = stored_at - interval '1 year'`
  const { removeOrphanPictures } = await import('../../../db/files/pictures.ts')
  await removeOrphanPictures(server.node.services.sql, new Date(), 100)
  const other = await server.startAnotherNode()
  const { realm_icon_url } = await other.as('member').must('POST', '/register')
  t.equal(realm_icon_url, icon_url)
  t.equal((await fetch(other.node.url + icon_url)).status, 200)
})

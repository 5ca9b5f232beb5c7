/** The storage of bots, as the bot framework uses it. */

import t from 'tap'
import { BOT_STORAGE_LENGTH_MAX } from '../../../server/domain/limits.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const bot = server.as('bot')
const done = { result: 'success', msg: '' }
const PATH = '/bot_storage'
const UNKNOWN = 'Key does not exist.'

const put = (storage: unknown) => bot.request('PUT', PATH, { storage })
const kept = async (keys?: readonly string[]) => (await bot.must('GET', PATH, { keys })).storage

/** Another bot of the member. */
async function startOtherBot() {
  const made = await server.as('member').must('POST', '/bots', { full_name: 'Other', short_name: 'other' })
  const client = server.as('bot')
  client.key = made.api_key
  const { members } = await server.as('owner').must('GET', '/users')
  client.email = members.find((one: { user_id: number }) => one.user_id === made.user_id).email
  return client
}

t.test('[BOTSTORE1] a bot stores, reads and removes texts by key, invisible to others', async (t) => {
  t.same(await kept(), {})
  t.same((await put({ state: '{"count":1}', 'Ключ 🔑': '' })).body, done)
  t.same((await put({ state: '{"count":2}' })).body, done, 'other keys stay')
  t.same((await put({})).body, done)
  t.same(await kept(), { state: '{"count":2}', 'Ключ 🔑': '' })
  t.same(await kept(['state', 'state']), { state: '{"count":2}' })
  t.same(await kept([]), {})
  const other = await startOtherBot()
  t.same((await other.must('GET', PATH)).storage, {})
  expectRefusal(t, await other.get(PATH, { keys: ['state'] }), UNKNOWN)
  expectRefusal(t, await other.delete(PATH, { keys: ['state'] }), UNKNOWN)
  t.same((await other.delete(PATH)).body, done, 'other bots keep theirs')
  expectRefusal(t, await bot.get(PATH, { keys: ['state', 'none'] }), UNKNOWN)
  expectRefusal(t, await bot.delete(PATH, { keys: ['state', 'none'] }), UNKNOWN)
  t.same(await kept(['state']), { state: '{"count":2}' }, 'all of the keys or none')
  t.same((await bot.delete(PATH, { keys: ['state', 'state'] })).body, done)
  t.same(await kept(), { 'Ключ 🔑': '' })
  t.same((await bot.delete(PATH)).body, done)
  t.same(await kept(), {})
})

t.test('[BOTSTORE2] people have no bot storage', async (t) => {
  for (const person of ['owner', 'guest'] as const) {
    const client = server.as(person)
    for (const method of ['GET', 'PUT', 'DELETE'])
      expectRefusal(
        t,
        await client.request(method, PATH, { storage: {} }),
        'This endpoint only accepts bot requests.',
      )
  }
})

t.test('[BOTSTORE3] values are texts, limited in number and length', async (t) => {
  expectRefusal(t, await bot.request('PUT', PATH), "Missing 'storage' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'storage',
  })
  expectRefusal(t, await put(['a']), 'storage is not a dict')
  expectRefusal(t, await put({ a: 1 }), 'storage["a"] is not a string')
  expectRefusal(t, await put({ a: 'b\0' }), 'storage["a"] must not contain null characters')
  expectRefusal(t, await put({ ['x'.repeat(501)]: '' }), 'storage key is too long (limit: 500 characters)')
  expectRefusal(t, await bot.get(PATH, { keys: 'a' }), 'keys is not valid JSON')
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, '']))
  expectRefusal(t, await put({ ...many, more: '' }), 'storage is too long (limit: 1000 items)')
  t.same((await put(many)).body, done)
  expectRefusal(t, await put({ more: '' }), 'Too many keys (maximum 1000).')
  t.same((await put({ k0: '1' })).body, done, 'existing keys accept new texts')
  await bot.must('DELETE', PATH)
  const whole = { ['🔑'.repeat(500)]: 'v'.repeat(BOT_STORAGE_LENGTH_MAX - 500) }
  t.same((await put(whole)).body, done)
  expectRefusal(
    t,
    await put({ ab: 'c' }),
    'Request exceeds storage limit by 3 characters. The limit is 1000000 characters.',
  )
  t.same(await kept(), whole)
})

t.test('[BOTSTORE5] texts above a limit are refused before anything is written', async (t) => {
  const { sql } = server.node.services
  await bot.must('DELETE', PATH)
  await sql.unsafe(`
    create function refuse_writing() returns trigger language plpgsql as $$ begin raise 'written'; end $$;
    create trigger refuse_writing before insert or update on bot_storage for each row execute function refuse_writing()`)
  t.teardown(() => sql.unsafe('drop function refuse_writing cascade'))
  expectRefusal(
    t,
    await put({ a: '😀'.repeat(9), b: 'x'.repeat(999_990) }),
    'Request exceeds storage limit by 1 characters. The limit is 1000000 characters.',
  )
})

t.test('[BOTSTORE4] concurrent writes stay within the limits', async (t) => {
  await bot.must('DELETE', PATH)
  const half = 'v'.repeat(BOT_STORAGE_LENGTH_MAX / 2)
  const answers = await Promise.all(['a', 'b', 'c'].map((key) => put({ [key]: half.slice(1) })))
  t.same(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [200, 200, 400],
  )
  t.equal(Object.keys(await kept()).length, 2)
})

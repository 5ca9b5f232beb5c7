import t from 'tap'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t)
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.subscribe(['town'], { principals: [1, 4, 5] })
await owner.subscribe(['quiet'], { principals: [1, 5] })

const change = (method: 'post' | 'delete', alert_words: unknown, person: Person = 'member') =>
  server.as(person)[method]('/users/me/alert_words', { alert_words })
const add = (words: unknown, person?: Person) => change('post', words, person)
const remove = (words: unknown, person?: Person) => change('delete', words, person)
const wordsOf = async (person: Person = 'member') =>
  (await server.as(person).must('GET', '/users/me/alert_words')).alert_words
const answer = (...alert_words: string[]) => ({ result: 'success', msg: '', alert_words })
const isAlerted = async (id: number, person: Person = 'member') =>
  (await server.as(person).must('GET', `/messages/${id}`)).message.flags.includes('has_alert_word')
const find = async (person: Person, ...narrow: unknown[]) =>
  (
    await server.as(person).must('GET', '/messages', { narrow, anchor: 'newest', num_before: 100 })
  ).messages.map(({ id }: { id: number }) => id)
const alerted = ['is', 'alerted']

t.test(
  '[ALERT5] alert words ignore case, are added and removed once, and only their user gets the events',
  async (t) => {
    const events = await expectConsistent(server, async () => {
      t.same((await add([' Tea ', 'out of order', 'TEA', '', ' '])).body, answer('TEA', 'out of order'))
      t.same((await add(['tea', 'Out  of order'])).body, answer('TEA', 'out of order'), 'found')
      t.same((await add(['milk'])).body, answer('TEA', 'out of order', 'milk'))
      t.same((await remove(['coffee', ''])).body, answer('TEA', 'out of order', 'milk'), 'not found')
      t.same((await remove(['OUT OF ORDER', 'tea'])).body, answer('milk'))
    })
    t.same(
      withoutIds(events.member),
      [['TEA', 'out of order'], ['TEA', 'out of order', 'milk'], ['milk']].map((alert_words) => ({
        type: 'alert_words',
        alert_words,
      })),
    )
    t.same([events.owner, events.member2, events.guest], [[], [], []])
    t.same(await wordsOf(), ['milk'])
    t.same(await wordsOf('owner'), [])
    const { alert_words } = await member.must('POST', '/register', { fetch_event_types: ['alert_words'] })
    t.same(alert_words, ['milk'])
    t.same((await remove(['milk'])).body, answer())
  },
)

t.test('[ALERT6] a message gets the flag for recipients whose alert word it contains', async (t) => {
  await add(['tea'])
  await add(['tea'], 'member2')
  await add(['tea'], 'guest')
  const ids: number[] = []
  const send = async (sending: Promise<number>) => ids.push(await sending)
  const events = await expectConsistent(server, async () => {
    await send(owner.send('town', 'a', 'Time for **Tea**!'))
    await send(owner.send('town', 'a', 'Time for coffee'))
    await send(owner.send('quiet', 'a', 'tea'))
    await send(owner.sendDirect([4], 'tea?'))
    await send(member.send('town', 'a', 'my tea', { read_by_sender: true }))
    await send(owner.send('town', 'a', '@**The member** wants tea'))
  })
  const [tea, coffee, quiet, direct, own, mention] = ids as [number, number, number, number, number, number]
  const flagsOf = (person: string) =>
    events[person]?.filter(({ type }) => type === 'message').map(({ message, flags }) => [message.id, flags])
  const flag = 'has_alert_word'
  t.same(flagsOf('member'), [
    [tea, [flag]],
    [coffee, []],
    [direct, [flag]],
    [own, ['read', flag]],
    [mention, ['mentioned', flag]],
  ])
  t.same(flagsOf('member2'), [
    [tea, [flag]],
    [coffee, []],
    [quiet, [flag]],
    [own, [flag]],
    [mention, [flag]],
  ])
  t.same(
    flagsOf('owner')?.map(([, flags]) => flags),
    [[], [], [], [], [], []],
  )
  t.same(flagsOf('guest'), [])
  t.same(await find('member', alerted), [tea, direct, own, mention])
  t.same(await find('member', alerted, ['channel', 'town']), [tea, own, mention])
  t.same(
    await find(
      'member',
      { operator: 'is', operand: 'alerted', negated: true },
      { operator: 'channel', operand: 'town' },
    ),
    [coffee],
  )
  t.same(await find('member', alerted, ['is', 'mentioned']), [mention])
  t.same(await find('member', ['is', 'mentioned']), [mention], 'a word is no mention')
  t.same(await find('member2', alerted), [tea, quiet, own, mention])
  t.same(await find('owner', alerted), [])
  t.same(await find('member', alerted, ['channel', 'quiet']), [], 'users who did not receive it get no flag')
  const { unread_msgs } = await member.must('POST', '/register', {
    fetch_event_types: ['update_message_flags'],
  })
  t.same(unread_msgs.mentions, [mention])
  await owner.must('DELETE', `/messages/${tea}`)
  t.same(await find('member', alerted), [direct, own, mention])
  for (const person of ['member', 'member2', 'guest'] as const) await remove(['tea'], person)
})

t.test('[ALERT7] removing an alert word leaves the flag on earlier messages', async (t) => {
  await add(['cake'])
  const id = await owner.send('town', 'b', 'cake')
  await remove(['cake'])
  t.ok(await isAlerted(id))
  const later = await owner.send('town', 'b', 'cake')
  t.notOk(await isAlerted(later))
  await add(['cake'])
  t.notOk(await isAlerted(later), 'earlier messages are not flagged later')
  await remove(['cake'])
})

t.test('[ALERT8] an edit sets the flag by the new text', async (t) => {
  await add(['cake'])
  const id = await owner.send('town', 'c', 'nothing')
  const events = await expectConsistent(server, async () => {
    for (const content of ['cake', 'nothing @**The member**', 'nothing', 'cake'])
      await owner.must('PATCH', `/messages/${id}`, { content })
    await owner.must('PATCH', `/messages/${id}`, {
      topic: 'd',
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
    })
  })
  t.same(
    events.member?.map(({ flags }) => flags),
    [['has_alert_word'], ['mentioned'], [], ['has_alert_word'], ['has_alert_word']],
  )
  t.same(
    events.member2?.map(({ flags }) => flags),
    [[], [], [], [], []],
  )
  t.ok(await isAlerted(id))
  t.same(await find('member', alerted, ['topic', 'd']), [id])
  await remove(['cake'])
})

t.test('[ALERT9] a queue narrowed to alerted messages gets only those', async (t) => {
  await add(['cake'])
  const queue = await member.register({ event_types: ['message'], narrow: [alerted] })
  await owner.send('town', 'e', 'nothing')
  const id = await owner.send('town', 'e', 'cake')
  t.same(
    (await member.events(queue)).map(({ message }) => message.id),
    [id],
  )
  await remove(['cake'])
})

t.test('[ALERT10] words and phrases have length limits, and each user a limit of their number', async (t) => {
  const moderator = 'moderator'
  const long = 'x'.repeat(100)
  t.same((await add([long], moderator)).body, answer(long))
  const tooLong = 'alert_words[1] is too long (limit: 100 characters)'
  expectRefusal(t, await add(['a', `${long}x`], moderator), tooLong)
  expectRefusal(t, await remove(['a', `${long}x`], moderator), tooLong)
  const phrase = Array.from({ length: 20 }, () => 'a').join(' ')
  t.same((await add([phrase], moderator)).body, answer(long, phrase))
  expectRefusal(t, await add([`${phrase} a`], moderator), 'An alert word has at most 20 words and signs.')
  expectRefusal(t, await add(1, moderator), 'alert_words is not a list')
  expectRefusal(t, await add([1], moderator), 'alert_words[0] is not a string')
  const many = Array.from({ length: 1_001 }, (_, index) => `w${index}`)
  expectRefusal(t, await add(many, moderator), 'alert_words is too long (limit: 1000 items)')
  for (const answered of [await add(undefined), await remove(undefined)])
    expectRefusal(t, answered, "Missing 'alert_words' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'alert_words',
    })
  t.equal((await add(many.slice(0, 998), moderator)).body.alert_words.length, 1_000)
  expectRefusal(t, await add(['more'], moderator), 'Too many alert words (maximum 1000).')
  t.equal((await add(['w1', 'A A'], 'administrator')).status, 200, 'other users have their own limit')
})

t.test('[ALERT11] text that consists of signs is scanned in one pass', async (t) => {
  await add(['+'.repeat(20), 'x+'.repeat(10)])
  const id = await owner.send('town', 'f', 'x+'.repeat(4_999))
  t.ok(await isAlerted(id))
  const other = await owner.send('town', 'f', `${'+'.repeat(19)} `.repeat(400))
  t.notOk(await isAlerted(other))
})

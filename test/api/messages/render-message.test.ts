import t from 'tap'
import { startWebProcess } from '../../cluster/start-web-process.ts'
import { Client } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { createDatabase } from '../../harness/databases/create-database.ts'
import { ACCOUNTS, emailOf, type Person, startTestServer } from '../../harness/servers/start-server.ts'

t.test('[RENDERMSG1] the reply has the HTML that a message with the text would have', async (t) => {
  const server = await startTestServer(t)
  const guest = server.as('guest')
  const render = async (content: string) =>
    (await guest.must('POST', '/messages/render', { content })).rendered as string
  t.equal(
    await render('*one*\n\n- <b>two</b>'),
    '<p><em>one</em></p>\n<ul>\n<li>&lt;b&gt;two&lt;/b&gt;</li>\n</ul>',
  )
  t.equal(await render(''), '')
  const id = await guest.sendDirect([4], '**`x`** ~~y~~')
  const { message } = await guest.must('GET', `/messages/${id}`)
  t.equal(await render('**`x`** ~~y~~'), message.content)
  t.match(await render('x'.repeat(10_000)), /^<p>x+<\/p>$/, 'the longest')
  const tooLong = await guest.post('/messages/render', { content: 'x'.repeat(10_001) })
  expectRefusal(t, tooLong, 'content is too long (limit: 10000 characters)')
  expectRefusal(t, await guest.post('/messages/render'), "Missing 'content' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'content',
  })
  const { status } = await server.anyone.post('/messages/render', { content: 'x' })
  t.equal(status, 401)
})

t.test('[RENDERMSG2] a text that takes too long to render is refused', async (t) => {
  const server = await startTestServer(t, { env: { RENDER_MS_MAX: '1' } })
  const content = '![['.repeat(3_333)
  expectRefusal(t, await server.as('owner').post('/messages/render', { content }), 'Unable to render message')
})

t.test('[RENDERMSG3] a guest who previews formulas does not delay the messages of others', async (t) => {
  const DATABASE_URL = await createDatabase(t, 'people')
  // A process of its own: in this one, requests and their answers would wait for each other.
  const { url } = await startWebProcess(t, { DATABASE_URL, RENDER_USER_MS_PER_MINUTE: '1000' })
  const as = (person: Person) => {
    const { id = 0, key = '' } = ACCOUNTS.get(person) ?? {}
    return new Client(url, id, emailOf(person), key)
  }
  const [owner, guest] = [as('owner'), as('guest')]
  const formulas = '$$\\frac{a}{b}$$ '.repeat(100)
  await as('member2').sendDirect([4], formulas) // The thread has loaded the formula renderer.
  let answered = 0
  const previews = Array.from({ length: 400 }, async () => {
    const reply = await guest.post('/messages/render', { content: formulas })
    answered++
    return reply
  })
  await Promise.race(previews) // They are being rendered.
  const before = answered
  await owner.sendDirect([4], formulas)
  const meanwhile = answered - before
  const replies = await Promise.all(previews)
  const rendered = replies.filter(({ status }) => status === 200).length
  // Some are answered while the message is stored; without turns it would wait for all of them.
  t.ok(2 * meanwhile < rendered, `${meanwhile} of ${rendered} previews went before a message`)
  const refused = replies.filter(({ status }) => status !== 200)
  t.ok(refused.length > 0, 'their part of the minute is spent')
  for (const { status, body } of refused) {
    t.equal(status, 429)
    t.match(body, { code: 'RATE_LIMIT_HIT', 'retry-after': Number })
  }
  t.ok(await guest.sendDirect([4], formulas), 'the messages of the guest get the rest')
})

import t from 'tap'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const [ADMINISTRATOR, MODERATOR, MEMBER, GUEST] = [200, 300, 400, 600]
/** Its owner and the bot itself. */
const [OWNER_ID, BOT_ID] = [4, 7]
const server = await startTestServer(t)
const owner = server.as('owner')
const roleOf = async (id: number) => (await owner.must('GET', `/users/${id}`)).user.role
const setRole = (id: number, role: number) => owner.patch(`/users/${id}`, { role })
const TOO_HIGH = 'A bot cannot have a higher role than its owner.'

t.test('[BOTROLE1] a bot cannot get a higher role than its owner', async (t) => {
  expectRefusal(t, await setRole(BOT_ID, ADMINISTRATOR), TOO_HIGH)
  expectRefusal(t, await owner.patch(`/bots/${BOT_ID}`, { role: MODERATOR }), TOO_HIGH)
  expectRefusal(t, await owner.patch('/users/bot@example.com', { role: MODERATOR }), TOO_HIGH)
  t.equal(await roleOf(BOT_ID), MEMBER)
  await owner.must('PATCH', `/users/${OWNER_ID}`, { role: ADMINISTRATOR })
  await owner.must('PATCH', `/users/${BOT_ID}`, { role: ADMINISTRATOR })
  t.equal(await roleOf(BOT_ID), ADMINISTRATOR)
})

t.test('[BOTROLE2] when an owner gets a lower role, so do the bots, which lose rights at once', async (t) => {
  const rename = (name: string) => server.as('bot').patch('/realm', { name })
  t.equal((await rename('By the bot')).status, 200)
  await expectConsistent(server, async () => {
    await owner.must('PATCH', `/users/${OWNER_ID}`, { role: MODERATOR })
  })
  t.equal(await roleOf(BOT_ID), MODERATOR)
  expectRefusal(t, await rename('Again'), 'Must be an organization administrator')
  await expectConsistent(server, async () => {
    await owner.must('PATCH', `/users/${OWNER_ID}`, { role: GUEST })
  })
  t.equal(await roleOf(BOT_ID), GUEST)
  await owner.must('PATCH', `/users/${OWNER_ID}`, { role: MODERATOR })
  t.equal(await roleOf(BOT_ID), GUEST, 'it is not raised with its owner')
})

t.test('[BOTROLE3] a bot given to an owner with a lower role gets that role', async (t) => {
  await owner.must('PATCH', `/bots/${BOT_ID}`, { role: MODERATOR })
  expectRefusal(t, await owner.patch(`/bots/${BOT_ID}`, { bot_owner_id: 5, role: MODERATOR }), TOO_HIGH)
  await expectConsistent(server, async () => {
    await owner.must('PATCH', `/bots/${BOT_ID}`, { bot_owner_id: 5 })
  })
  t.equal(await roleOf(BOT_ID), MEMBER)
  await owner.must('PATCH', `/bots/${BOT_ID}`, { bot_owner_id: 1, role: ADMINISTRATOR })
  t.equal(await roleOf(BOT_ID), ADMINISTRATOR)
})

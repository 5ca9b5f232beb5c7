import t, { type Test } from 'tap'
import type { Client } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'

const NEW_FORM = { client_capabilities: { simplified_presence_events: true } }

t.test('[SIGHT40] presence of invisible users is sent under placeholders', (t) => check(t, false))

t.test('[SIGHT41] presence of invisible users is withheld if the server is configured so', (t) =>
  check(t, true),
)

async function check(t: Test, isLimited: boolean): Promise<void> {
  const server = await startTestServer(t, {
    env: isLimited ? { CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE: 'true' } : {},
  })
  const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
  await owner.must('PATCH', '/realm', { can_access_all_users_group: { new: 5 } })
  await owner.sendDirect([guest.userId], 'now we know each other')
  const queues = [
    await guest.register(NEW_FORM),
    await guest.register(),
    await owner.register(NEW_FORM),
  ] as const
  for (const one of [owner, member])
    await one.must('POST', '/users/me/presence', { status: 'active', ping_only: true })
  await server.node.services.presences.exchange()

  const unknownKeys = isLimited ? [] : [`user${member.userId}@127.0.0.1`]
  const unknownIds = isLimited ? [] : [String(member.userId)]
  const keysOf = ({ presences }: { presences: object }) => Object.keys(presences).sort()
  const report = (client: Client, fields = {}) =>
    client.must('POST', '/users/me/presence', { status: 'idle', ...fields })
  const own = emailOf('guest')
  await report(guest, { ping_only: true })
  t.same(keysOf(await guest.must('GET', '/realm/presence')), [own, emailOf('owner'), ...unknownKeys].sort())
  t.same(
    keysOf(await owner.must('GET', '/realm/presence')),
    [own, emailOf('member'), emailOf('owner')].sort(),
  )
  t.same(keysOf(await report(guest)), [own, emailOf('owner'), ...unknownKeys].sort())
  t.same(keysOf(await report(guest, { slim_presence: true })), ['1', ...unknownIds, '6'].sort())
  const registered = async (fields = {}) =>
    keysOf((await guest.register({ fetch_event_types: ['presence'], ...fields })).state)
  t.same(await registered(), [own, emailOf('owner'), ...unknownKeys].sort())
  t.same(await registered({ slim_presence: true }), ['1', ...unknownIds, '6'].sort())

  t.equal((await guest.get(`/users/${owner.userId}/presence`)).status, 200)
  t.equal((await guest.get(`/users/${emailOf('owner')}/presence`)).status, 200)
  expectRefusal(t, await guest.get(`/users/${emailOf('member')}/presence`), 'No such user')
  for (const who of [member.userId, `user${member.userId}@127.0.0.1`]) {
    const answer = await guest.get(`/users/${who}/presence`)
    if (isLimited) expectRefusal(t, answer, 'No such user')
    else t.equal(answer.body.presence.aggregated.status, 'active')
  }

  const events = await guest.events(queues[0])
  const ids = events.flatMap(({ presences }) => Object.keys(presences))
  t.same(ids.filter((id) => id !== String(guest.userId)).sort(), ['1', ...unknownIds])
  const eventsOfOld = await guest.events(queues[1])
  t.same(
    eventsOfOld
      .map(({ email }): string => email)
      .filter((email) => email !== own)
      .sort(),
    [emailOf('owner'), ...unknownKeys].sort(),
  )
  const eventsOfOwner = (await owner.events(queues[2])).flatMap(({ presences }) => Object.keys(presences))
  t.same(eventsOfOwner.filter((id) => id !== String(guest.userId)).sort(), ['1', String(member.userId)])
}

import t from 'tap'
import { addUser, deactivate } from '../harness/add-user.ts'
import { type FieldType, REGISTRATION_FIELDS } from '../harness/registration-fields.ts'
import { startTestServer } from '../harness/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')

/** One object in each list of the registration. */
async function fillOrganization(): Promise<void> {
  await owner.subscribe(['town', 'left'])
  await owner.must('DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
  await member.subscribe(['not joined'])
  await member.subscribe(['town'])
  await member.send('town', 'topic', 'hello')
  await member.sendDirect([1], 'hello')
  await member.sendDirect([1, 5], 'hello')
  await owner.must('POST', '/user_topics', { stream_id: 1, topic: 'topic', visibility_policy: 3 })
  await owner.must('POST', '/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'later' }] })
  await owner.must('POST', '/users/me/status', { status_text: 'away', emoji_name: 'car' })
  await owner.must('POST', '/users/me/presence', { status: 'active' })
  const field = await owner.must('POST', '/realm/profile_fields', { field_type: 1, name: 'Biography' })
  await owner.must('PATCH', '/users/me/profile_data', { data: [{ id: field.id, value: 'a *life*' }] })
  const { userId } = await addUser(server, 'gone')
  await deactivate(server, userId)
  // Notices of the server create its notification bot.
  await owner.subscribe(['town'], { principals: [5], send_new_subscription_messages: true })
}

t.test('[REGC1] each field of the reply exists, with its type', async (t) => {
  await fillOrganization()
  const state = await owner.must('POST', '/register', { include_subscribers: true, slim_presence: true })
  for (const [place, shape] of Object.entries(REGISTRATION_FIELDS)) {
    const found = findAt(state, place)
    t.ok(found.length > 0, `there is something at ${place}`)
    t.same(
      Object.entries(shape).flatMap(([type, names]) =>
        names
          .trim()
          .split(/\s+/)
          .filter((name) => !found.every((one) => hasType(one[name], type as FieldType))),
      ),
      [],
      `the fields of ${place === '' ? 'the reply' : place}`,
    )
  }
})

t.test('[REGC2] a registration after a change of a user includes it', async (t) => {
  const find = async (person: 'owner' | 'member' | 'guest') => {
    const state = await server.as(person).must('POST', '/register', { fetch_event_types: ['realm_user'] })
    const { full_name, delivery_email } = state.realm_users.find((one: any) => one.user_id === 4)
    return { full_name, delivery_email }
  }
  const before = { full_name: 'The member', delivery_email: member.email }
  t.same([await find('owner'), await find('guest'), await find('member')], [before, before, before])
  await member.must('PATCH', '/settings', { full_name: 'Renamed', email_address_visibility: 3 })
  const after = { full_name: 'Renamed', delivery_email: member.email }
  t.same(await find('owner'), after)
  t.same(await find('guest'), { ...after, delivery_email: null })
  t.same(await find('member'), after, 'the own address is always seen')
})

/** All values at a path of a reply. */
function findAt(state: Record<string, any>, place: string): Record<string, any>[] {
  let found: Record<string, any>[] = [state]
  for (const step of place.split('.').filter((one) => one !== '')) {
    if (step === '*') found = found.flatMap((one) => Object.values(one))
    else if (step.endsWith('[]')) found = found.flatMap((one) => one[step.slice(0, -2)] ?? [])
    else found = found.flatMap((one) => one[step] ?? [])
  }
  return found
}

function hasType(value: any, type: FieldType): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'array':
      return Array.isArray(value)
    case 'integers':
      return Array.isArray(value) && value.every((one) => hasType(one, 'integer'))
    case 'strings':
      return Array.isArray(value) && value.every((one) => hasType(one, 'string'))
    case 'objects':
      return Array.isArray(value) && value.every((one) => hasType(one, 'object'))
    case 'group':
      return (
        hasType(value, 'integer') ||
        (hasType(value, 'object') &&
          hasType(value.direct_members, 'integers') &&
          hasType(value.direct_subgroups, 'integers'))
      )
    case 'integer|null':
    case 'string|null':
    case 'boolean|null':
      return value === null || hasType(value, type.slice(0, -'|null'.length) as FieldType)
    case 'any':
      return value !== undefined
    default:
      return typeof value === type
  }
}

/** The state of a registration: its fields by the documents of the API family, and by the declarations of the server. */

import t from 'tap'
import { INTEGER, type Schema } from '../../../server/domain/json-schema.ts'
import { operationsOf } from '../../../server/api/table.ts'
import { STATE_FIELDS, STATE_PARTS } from '../../../server/api/registration.ts'
import { statePart, type StatePart } from '../../../server/api/registration/state-part.ts'
import { createNames } from '../../../server/views/names.ts'
import { checkReply } from '../../harness/client/check-reply.ts'
import type { Fields } from '../../harness/client/client.ts'
import { REGISTRATION } from '../../harness/states/expect-consistent.ts'
import { fillLists } from '../../harness/worlds/fill-lists.ts'
import {
  type FieldType,
  findAt,
  hasType,
  REGISTRATION_FIELDS,
} from '../../harness/states/registration-fields.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import type { Named } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await fillLists(server)

/** The fields of a reply that no requested type fetches. */
const ALWAYS = new Set(Object.keys(await owner.must('POST', '/register', { fetch_event_types: [] })))
const PARTS = Object.entries<StatePart>(STATE_PARTS)
const NAMES = createNames(true)
/** The newest forms of the state. */
const NEWEST: Fields = {
  ...REGISTRATION,
  slim_presence: true,
  client_gravatar: false,
  client_capabilities: {
    ...REGISTRATION.client_capabilities,
    linkifier_url_template: true,
    user_settings_object: true,
    user_list_incomplete: true,
  },
}

async function fetchedFields(fields: Fields): Promise<string[]> {
  const state = await owner.must('POST', '/register', fields)
  return Object.keys(state)
    .filter((name) => !ALWAYS.has(name))
    .sort()
}

t.test('[REGC1] each field of the reply exists, with its type', async (t) => {
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
    const { full_name, delivery_email } = state.realm_users.find((one) => one.user_id === 4)
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

t.test('[REGC3] each type fetches exactly the fields that are declared for it', async (t) => {
  for (const [type, { fields }] of PARTS) {
    const names = Object.keys(NAMES.addAliases(fields)).sort()
    t.same(await fetchedFields({ fetch_event_types: [type] }), names, type)
    const required = Object.entries(fields).filter(([, { isOptional }]) => !isOptional)
    const newest = await fetchedFields({ ...NEWEST, fetch_event_types: [type] })
    t.same(
      newest,
      Object.keys(NAMES.addAliases(Object.fromEntries(required))).sort(),
      `${type} in its newest form`,
    )
  }
  const all = Object.keys(NAMES.addAliases(STATE_FIELDS)).filter((name) => !ALWAYS.has(name))
  t.same(await fetchedFields({}), all.sort())
})

t.test('[REGC4] each list of the state matches its schema in every form, with entries', async (t) => {
  const isFilled = (value: unknown, { type, maxItems, additionalProperties }: Schema) =>
    maxItems === 0 ||
    (type !== 'array' && additionalProperties === undefined) ||
    Object.keys(value as object).length > 0
  for (const form of [NEWEST, { client_capabilities: { linkifier_url_template: true } }]) {
    const state = await owner.must('POST', '/register', form)
    const empty = Object.entries(STATE_FIELDS).filter(
      ([name, { schema }]) => name in state && !isFilled((state as Named)[name], schema),
    )
    t.same(
      empty.map(([name]) => name),
      [],
    )
  }
  // The client checks each of these replies.
  for (const person of ['guest', 'bot', 'member2'] as const) {
    for (const form of [{}, NEWEST, { include_subscribers: 'partial', presence_history_limit_days: 1 }])
      t.ok(await server.as(person).must('POST', '/register', form))
  }
})

t.test('[REGC5] a field is declared once, and its description names the types that fetch it', async (t) => {
  const parts = new Set(PARTS.map(([, part]) => part))
  const names = [...parts].flatMap(({ fields }) => Object.keys(fields))
  t.same(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
  for (const [type, { fields }] of PARTS) {
    for (const name of Object.keys(fields)) {
      const { description } = STATE_FIELDS[name as keyof typeof STATE_FIELDS]
      t.match(description, /^[A-Z0-9`].+[.] Fetched by `[a-z_]+`(?: or `[a-z_]+`)*[.]$/, name)
      t.match(description.split('Fetched by')[1], `\`${type}\``, name)
    }
  }
})

t.test('[REGC6] a reply with other fields than declared is refused', async (t) => {
  const [register] = operationsOf(false).filter(({ path }) => path === '/register')
  if (!register) throw new Error('there is no registration')
  const state = await owner.must('POST', '/register', { fetch_event_types: ['realm'] })
  t.throws(() => checkReply(register, { ...state, realm_extra: 1 }), /realm_extra is not declared/)
  t.throws(() => checkReply(register, { ...state, realm_name: null }), /realm_name is not of type/)
  t.throws(() => checkReply(register, { ...state, zulip_version: 1 }), /zulip_version is not of type/)
  t.throws(() => checkReply(register, { ...state, stop_words: ['the'] }), /stop_words is too long/)

  const declaration = { fields: { count: { schema: INTEGER, description: 'A number.' } } }
  const wrong: StatePart[] = [
    // @ts-expect-error The compiler refuses an undeclared field.
    statePart({ ...declaration, fetch: () => ({ count: 1, more: 2 }) }),
    // @ts-expect-error It refuses a field of another type.
    statePart({ ...declaration, fetch: () => ({ count: 'one' }) }),
    // @ts-expect-error It refuses a part without a declared field.
    statePart({ ...declaration, fetch: () => ({}) }),
  ]
  for (const part of wrong) {
    const reply = { result: 'success', msg: '', ...(await part.fetch(undefined as never)) }
    t.throws(() => checkReply({ ...register, reply: part.fields }, reply))
  }
})

import t from 'tap'
import type { UserId } from '../../../server/domain/ids.ts'
import type { LogEvent } from '../../../server/domain/events.ts'
import type { EmailDomainId, PlaygroundId } from '../../../server/domain/ids.ts'
import type { Playground } from '../../../server/domain/organization/organization-lists.ts'
import type { Fields } from '../../harness/client/client.ts'
import { addUser } from '../../harness/worlds/add-user.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import type { Named } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
const guest = server.as('guest')
const done = { result: 'success', msg: '' }
const VIEWERS = ['owner', 'member', 'member2', 'guest']

const RUST = {
  name: 'Rust playground',
  highlighter_language: 'Rust',
  url_template: 'https://play.example.com/{?code}',
}
const addPlayground = (fields: Fields = {}, person: Person = 'administrator') =>
  server.as(person).post('/realm/playgrounds', { ...RUST, ...fields })
const removePlayground = (id: number, person: Person = 'administrator') =>
  server.as(person).delete(`/realm/playgrounds/${id}`)
const playgrounds = async () =>
  (await guest.register({ fetch_event_types: ['realm_playgrounds'] })).state.realm_playgrounds

t.test(
  '[PLAYGROUND1] administrators add and remove playgrounds, and everyone gets the whole list',
  async (t) => {
    const rust = { id: 1, ...RUST, pygments_language: 'Rust' }
    const python = {
      ...rust,
      id: 2,
      highlighter_language: 'C++ 2.0/a-b_c,#',
      pygments_language: 'C++ 2.0/a-b_c,#',
    }
    const events = await expectConsistent(server, async () => {
      t.same((await addPlayground()).body, { ...done, id: 1 })
      const { highlighter_language: _, ...rest } = RUST
      const { body } = await server
        .as('administrator')
        .post('/realm/playgrounds', { ...rest, pygments_language: ' C++ 2.0/a-b_c,# ' })
      t.same(body, { ...done, id: 2 })
      t.same((await removePlayground(1)).body, done)
    })
    for (const person of VIEWERS) {
      t.same(
        withoutIds(events[person]),
        [[rust], [rust, python], [python]].map((list) => ({
          type: 'realm_playgrounds',
          realm_playgrounds: list,
        })),
        person,
      )
    }
    t.same(await playgrounds(), [python])
    t.equal((await addPlayground()).body.id, 3, 'ids of removed ones are not reused')
  },
)

t.test('[PLAYGROUND2] a playground has a language, and a template with one variable, the code', async (t) => {
  const missing = 'Missing the required variable "code" in the URL template'
  const more = '"code" should be the only variable present in the URL template'
  const refusals: [Fields, string][] = [
    [{ name: ' ' }, 'name cannot be blank'],
    [{ name: 'x'.repeat(101) }, 'name is too long (limit: 100 characters)'],
    [{ highlighter_language: '' }, 'highlighter_language cannot be blank'],
    [{ highlighter_language: 'x'.repeat(41) }, 'highlighter_language is too long (limit: 40 characters)'],
    [{ highlighter_language: 'c<' }, 'Invalid characters in highlighter language'],
    [{ highlighter_language: 'é' }, 'Invalid characters in highlighter language'],
    [{ url_template: '' }, 'url_template cannot be blank'],
    [
      { url_template: `https://x.example.com/${'x'.repeat(1000)}` },
      'url_template is too long (limit: 1000 characters)',
    ],
    [{ url_template: 'https://x.example.com/{' }, 'Invalid URL template.'],
    [{ url_template: 'javascript:{code}' }, 'Invalid URL template.'],
    [{ url_template: '{+code}' }, 'Invalid URL template.'],
    [{ url_template: 'https://x.example.com/' }, missing],
    [{ url_template: 'https://x.example.com/{id}' }, missing],
    [{ url_template: 'https://x.example.com/{code,id}' }, more],
    [{}, 'Realm playground with this Realm, Highlighter language and Name already exists.'],
  ]
  for (const [fields, message] of refusals) expectRefusal(t, await addPlayground(fields), message)
  t.equal((await addPlayground({ name: 'x'.repeat(100), highlighter_language: 'x'.repeat(40) })).status, 200)
})

t.test('[PLAYGROUND3] only administrators change playgrounds, at most a hundred', async (t) => {
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(t, await addPlayground({}, person), 'Must be an organization administrator')
    expectRefusal(t, await removePlayground(2, person), 'Must be an organization administrator')
  }
  for (const id of [1, 99]) expectRefusal(t, await removePlayground(id), 'Invalid playground')
  const many = Array.from({ length: 100 }, (_, index): Playground => {
    return {
      id: (index + 100) as PlaygroundId,
      name: `Number ${index}`,
      language: 'Rust',
      urlTemplate: RUST.url_template,
    }
  })
  await commitEvents(server, [{ type: 'realm_playgrounds', playgrounds: many }])
  expectRefusal(t, await addPlayground({ name: 'one more' }), 'Too many code playgrounds (maximum 100).')
})

t.test('[PLAYGROUND4] a server without aliases sends the language under its neutral name', async (t) => {
  const plain = await startTestServer(t, { env: { CLIENT_ALIASES: 'off' } })
  const queue = await plain.as('guest').register({ event_types: ['realm_playgrounds'] })
  await plain.as('owner').must('POST', '/realm/playgrounds', RUST)
  const [event] = await plain.as('guest').events(queue)
  t.same(event.realm_playgrounds, [{ id: 1, ...RUST }])
  const { state } = await plain.as('guest').register({ fetch_event_types: ['realm_playgrounds'] })
  t.same(state.realm_playgrounds, [{ id: 1, ...RUST }])
})

const addDomain = (domain: string, allow = false, person: Person = 'owner') =>
  server.as(person).post('/realm/domains', { domain, allow_subdomains: allow })
const changeDomain = (domain: string, allow = true, person: Person = 'owner') =>
  server.as(person).patch(`/realm/domains/${encodeURIComponent(domain)}`, { allow_subdomains: allow })
const removeDomain = (domain: string, person: Person = 'owner') =>
  server.as(person).delete(`/realm/domains/${encodeURIComponent(domain)}`)
const domains = async () => (await guest.must('GET', '/realm/domains')).domains

t.test('[DOMAIN1] owners add, change and remove domains, and everyone gets events', async (t) => {
  const events = await expectConsistent(server, async () => {
    t.same((await addDomain(' Example.COM ')).body, { ...done, new_domain: [1, 'example.com'] })
    t.same((await addDomain('b.example.org', true)).body, { ...done, new_domain: [2, 'b.example.org'] })
    t.same((await changeDomain('EXAMPLE.com')).body, done)
    t.same((await changeDomain('example.com')).body, done, 'unchanged values send no event')
    t.same((await removeDomain('b.example.org')).body, done)
  })
  const first = { domain: 'example.com', allow_subdomains: false }
  const second = { domain: 'b.example.org', allow_subdomains: true }
  for (const person of VIEWERS) {
    t.same(
      withoutIds(events[person]),
      [
        { type: 'realm_domains', op: 'add', realm_domain: first },
        { type: 'realm_domains', op: 'add', realm_domain: second },
        { type: 'realm_domains', op: 'change', realm_domain: { ...first, allow_subdomains: true } },
        { type: 'realm_domains', op: 'remove', domain: 'b.example.org' },
      ],
      person,
    )
  }
  t.same(await domains(), [{ ...first, allow_subdomains: true }])
  const { state } = await guest.register({ fetch_event_types: ['realm_domains'] })
  t.same(state.realm_domains, await domains())
})

t.test('[DOMAIN2] a domain must be valid and unique', async (t) => {
  const invalid: Record<string, string> = {
    '': "Domain can't be empty.",
    example: 'Domain must have at least one dot (.)',
    '.example.com': 'Domain cannot start or end with a dot (.)',
    'example.com.': 'Domain cannot start or end with a dot (.)',
    'example..com': "Consecutive '.' are not allowed.",
    'a.-b.com': "Subdomains cannot start or end with a '-'.",
    'a-.com': "Subdomains cannot start or end with a '-'.",
    'ex ample.com': "Domain can only have letters, numbers, '.' and '-'s.",
    'exämple.com': "Domain can only have letters, numbers, '.' and '-'s.",
    [`${'x'.repeat(252)}.com`]: 'Domain is too long',
  }
  for (const [domain, reason] of Object.entries(invalid))
    expectRefusal(t, await addDomain(domain), `Invalid domain: ${reason}`)
  expectRefusal(t, await addDomain('x'.repeat(1001)), 'domain is too long (limit: 1000 characters)')
  expectRefusal(
    t,
    await addDomain('EXAMPLE.com'),
    'The domain example.com is already a part of your organization.',
  )
  expectRefusal(t, await changeDomain('x.example.com'), 'No entry found for domain x.example.com.')
  expectRefusal(t, await removeDomain('x.example.com'), 'No entry found for domain x.example.com.')
  expectRefusal(
    t,
    await owner.patch('/realm/domains/example.com', { allow_subdomains: 'x' }),
    'allow_subdomains is not valid JSON',
  )
  expectRefusal(t, await owner.patch('/realm/domains/example.com'), "Missing 'allow_subdomains' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'allow_subdomains',
  })
})

t.test('[DOMAIN3] only owners change domains and their restriction', async (t) => {
  for (const person of ['administrator', 'moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(t, await addDomain('x.example.com', true, person), 'Must be an organization owner')
    expectRefusal(t, await changeDomain('example.com', true, person), 'Must be an organization owner')
    expectRefusal(t, await removeDomain('example.com', person), 'Must be an organization owner')
  }
  for (const name of ['emails_restricted_to_domains', 'disallow_disposable_email_addresses']) {
    expectRefusal(
      t,
      await server.as('administrator').patch('/realm', { [name]: true }),
      'Must be an organization owner',
    )
  }
})

let created = 0
const createUser = (email: string) => {
  return owner.post('/users', { email, password: 'correct horse', full_name: `Newcomer ${++created}` })
}

t.test('[DOMAIN4] with the restriction, new accounts need an address of an allowed domain', async (t) => {
  await owner.must('PATCH', '/realm', { emails_restricted_to_domains: true })
  t.match((await owner.register({ fetch_event_types: ['realm'] })).state, {
    realm_emails_restricted_to_domains: true,
  })
  await changeDomain('example.com', false)
  t.equal((await createUser('one@Example.com')).status, 200)
  for (const email of ['two@sub.example.com', 'two@xample.com', 'two@notexample.com', 'two@example.com.org'])
    expectRefusal(t, await createUser(email), `Email '${email}' not allowed in this organization`)
  expectRefusal(t, await createUser('a+b@example.com'), 'Email addresses containing + are not allowed.')
  await changeDomain('example.com', true)
  t.equal((await createUser('two@a.sub.example.com')).status, 200)
  expectRefusal(
    t,
    await createUser('three@notexample.com'),
    "Email 'three@notexample.com' not allowed in this organization",
  )
})

t.test('[DOMAIN5] removing the last domain lifts the restriction', async (t) => {
  await addDomain('b.example.org')
  await removeDomain('b.example.org')
  const events = await expectConsistent(server, () => removeDomain('example.com'))
  for (const person of VIEWERS) {
    t.same(withoutIds(events[person]), [
      { type: 'realm_domains', op: 'remove', domain: 'example.com' },
      {
        type: 'realm',
        op: 'update_dict',
        property: 'default',
        data: { emails_restricted_to_domains: false },
      },
    ])
  }
  t.equal((await createUser('a+b@anywhere.example')).status, 200)
})

t.test('[DOMAIN6] an organization has at most a thousand domains', async (t) => {
  const events = Array.from({ length: 1_000 }, (_, index): LogEvent => {
    const domain = {
      id: (index + 1) as EmailDomainId,
      domain: `d${index}.example.com`,
      allowsSubdomains: false,
    }
    return { type: 'realm_domains/add', domain }
  })
  await commitEvents(server, events)
  expectRefusal(t, await addDomain('more.example.com'), 'Too many domains (maximum 1000).')
})

const setDefaults = (fields: Fields, person: Person = 'administrator') =>
  server.as(person).patch('/realm/user_settings_defaults', fields)
const defaults = async () =>
  (await guest.register({ fetch_event_types: ['realm_user_settings_defaults'] })).state
    .realm_user_settings_defaults

t.test(
  '[DEFAULTS1] administrators change the defaults for new users, and everyone gets events',
  async (t) => {
    const events = await expectConsistent(server, async () => {
      const fields = {
        color_scheme: 2,
        enter_sends: false,
        starred_message_counts: true,
        email_address_visibility: 3,
      }
      t.same((await setDefaults(fields)).body, done)
      t.same((await setDefaults({})).body, done)
    })
    for (const person of VIEWERS) {
      t.same(
        withoutIds(events[person]).sort((a, b) => (a.property < b.property ? -1 : 1)),
        [
          ['color_scheme', 2],
          ['email_address_visibility', 3],
          ['enter_sends', false],
        ].map(([property, value]) => ({
          type: 'realm_user_settings_defaults',
          op: 'update',
          property,
          value,
        })),
        person,
      )
    }
    t.match(await defaults(), {
      color_scheme: 2,
      enter_sends: false,
      email_address_visibility: 3,
      fluid_layout_width: false,
    })
  },
)

t.test('[DEFAULTS2] new people get the defaults; existing people and bots do not', async (t) => {
  await owner.must('PATCH', '/realm', { default_language: 'de' })
  const events = await expectConsistent(server, async () => {
    t.equal((await createUser('late@example.com')).status, 200)
  })
  t.match(events.owner?.[0].person, { delivery_email: 'late@example.com' })
  t.match(
    events.guest?.[0].person,
    { delivery_email: null, email: /^user\d+@/ },
    'the setting counts at once',
  )
  const { api_key } = await server.anyone.must('POST', '/fetch_api_key', {
    username: 'late@example.com',
    password: 'correct horse',
  })
  const authorization = `Basic ${Buffer.from(`late@example.com:${api_key}`).toString('base64')}`
  const registered = await server.anyone.request(
    'POST',
    '/register',
    { fetch_event_types: ['user_settings'] },
    { authorization },
  )
  t.match(registered.body.user_settings, {
    color_scheme: 2,
    enter_sends: false,
    email_address_visibility: 3,
    default_language: 'de',
    fluid_layout_width: false,
  })
  const { state } = await member.register({ fetch_event_types: ['user_settings'] })
  t.match(state.user_settings, { color_scheme: 1, enter_sends: true, default_language: 'en' })
  const bot = await member.must('POST', '/bots', { full_name: 'Robot', short_name: 'robot', bot_type: 1 })
  const { userSettings } = server.node.services.state
  t.equal(userSettings.get(bot.user_id as UserId), undefined)
  await setDefaults({ color_scheme: 3 })
  const { userId } = await addUser(server, 'later')
  t.match(userSettings.get(userId as never), { colorScheme: 3, enterSends: false })
})

t.test('[WALKO2] the default of hidden presence also reaches older clients through the status', async (t) => {
  await setDefaults({ presence_enabled: false })
  const events = await expectConsistent(server, async () => {
    t.equal((await createUser('unseen@example.com')).status, 200)
  })
  for (const person of VIEWERS) t.match(events[person]?.[1], { type: 'user_status', away: true }, person)
  await setDefaults({ presence_enabled: true })
})

t.test('[DEFAULTS3] only administrators change defaults, within the limits of the settings', async (t) => {
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const)
    expectRefusal(
      t,
      await setDefaults({ enter_sends: true }, person),
      'Must be an organization administrator',
    )
  expectRefusal(t, await setDefaults({ color_scheme: 4 }), 'Invalid color_scheme')
  expectRefusal(t, await setDefaults({ enter_sends: 1 }), 'enter_sends is not a boolean')
  const own = {
    timezone: 'Europe/Berlin',
    default_language: 'fr',
    enable_login_emails: true,
    enable_marketing_emails: true,
    allow_private_data_export: true,
  }
  const { body } = await setDefaults(own)
  t.same([...body.ignored_parameters_unsupported].sort(), Object.keys(own).sort())
})

t.test('[DEFAULTS4] plain settings of the organization are stored and sent unchanged', async (t) => {
  const values = {
    default_language: 'fr',
    default_code_block_language: 'python',
    emails_restricted_to_domains: true,
    disallow_disposable_email_addresses: true,
    inline_image_preview: false,
    inline_url_embed_preview: true,
    enable_guest_user_indicator: false,
    enable_guest_user_dm_warning: false,
    digest_emails_enabled: true,
    digest_weekday: 6,
    send_welcome_emails: true,
    welcome_message_custom_text: 'hello *you*',
    message_content_allowed_in_email_notifications: false,
    video_chat_provider: 1,
    jitsi_server_url: 'https://calls.example.com',
    giphy_rating: 5,
    org_type: 1000,
    want_advertise_in_communities_directory: true,
  }
  const events = await expectConsistent(server, async () => {
    t.same((await owner.patch('/realm', values)).body, done)
    t.same((await owner.patch('/realm', values)).body, done)
  })
  for (const person of VIEWERS) {
    t.same(
      withoutIds(events[person]),
      [{ type: 'realm', op: 'update_dict', property: 'default', data: values }],
      person,
    )
  }
  const { state } = await guest.register({ fetch_event_types: ['realm'] })
  for (const [name, value] of Object.entries(values)) t.equal((state as Named)[`realm_${name}`], value, name)
  const { body } = await owner.post('/messages/render', { content: '```\nx\n```' })
  t.match(body.rendered, 'data-code-language="Python"', 'code without a language gets the default')
})

t.test('[DEFAULTS5] plain settings have limits', async (t) => {
  const refusals: [Fields, string][] = [
    [{ default_language: 'no such' }, 'Invalid default_language'],
    [
      { default_code_block_language: 'x'.repeat(41) },
      'default_code_block_language is too long (limit: 40 characters)',
    ],
    [
      { welcome_message_custom_text: 'x'.repeat(8001) },
      'welcome_message_custom_text is too long (limit: 8000 characters)',
    ],
    [{ digest_weekday: 7 }, 'Invalid digest_weekday'],
    [{ digest_weekday: -1 }, 'Invalid digest_weekday'],
    [{ video_chat_provider: 2 }, 'Invalid video_chat_provider'],
    [{ giphy_rating: 6 }, 'Invalid giphy_rating'],
    [{ org_type: 1 }, 'Invalid org_type'],
    [{ inline_image_preview: 1 }, 'inline_image_preview is not a boolean'],
    [{ jitsi_server_url: 'javascript:x' }, 'jitsi_server_url is not a URL'],
    [
      { jitsi_server_url: `https://x.example.com/${'x'.repeat(180)}` },
      'jitsi_server_url is too long (limit: 200 characters)',
    ],
  ]
  for (const [fields, message] of refusals) expectRefusal(t, await owner.patch('/realm', fields), message)
  await owner.must('PATCH', '/realm', { jitsi_server_url: 'default', default_code_block_language: '' })
  t.match((await owner.register({ fetch_event_types: ['realm'] })).state, {
    realm_jitsi_server_url: null,
    realm_default_code_block_language: '',
  })
})

t.test('[DEFAULTS6] the address of a call server arrives as text or as JSON', async (t) => {
  const patch = (address: string) => owner.patch('/realm', { jitsi_server_url: address })
  const longest = `https://x.example.com/${'x'.repeat(178)}`
  for (const [address, stored] of [
    ['https://meet.example.com', 'https://meet.example.com'],
    ['default', null],
    ['https://meet.example.com/room', 'https://meet.example.com/room'],
    ['', null],
    [` ${longest} `, longest],
    ['  ', null],
  ] as const)
    for (const written of [address, JSON.stringify(address)]) {
      t.same((await patch(written)).body, done, written)
      const { state } = await owner.register({ fetch_event_types: ['realm'] })
      t.equal(state.realm_jitsi_server_url, stored, written)
    }
  for (const [written, message] of [
    ['"javascript:x"', 'jitsi_server_url is not a URL'],
    ['"https://meet.example.com', 'jitsi_server_url is not a URL'],
    ['meet.example.com', 'jitsi_server_url is not a URL'],
    [`${longest}x`, 'jitsi_server_url is too long (limit: 200 characters)'],
    [JSON.stringify(`${longest}x`), 'jitsi_server_url is too long (limit: 200 characters)'],
    ['null', 'jitsi_server_url is not a string'],
    ['["https://meet.example.com"]', 'jitsi_server_url is not a string'],
  ] as const)
    expectRefusal(t, await patch(written), message)
  const { state } = await owner.register({ fetch_event_types: ['realm'] })
  t.equal(state.realm_jitsi_server_url, null, 'a refused address changes nothing')
})

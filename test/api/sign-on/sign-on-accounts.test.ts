/** Accounts that a first log-in by a provider makes. */

import { pino } from 'pino'
import t, { type Test } from 'tap'
import { parseLoginProviders } from '../../../server/domain/accounts/login-providers.ts'
import { ROLES } from '../../../server/domain/entities.ts'
import type { GroupId, UserId } from '../../../server/domain/ids.ts'
import { toFullName } from '../../../server/domain/users/full-names.ts'
import { Browser, type BrowserAnswer } from '../../harness/browser/browser.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { returnTo, beginSignOn, signOn } from '../../harness/sign-on/sign-on.ts'
import { PUBLIC_URL, startLoginProvider } from '../../harness/sign-on/start-login-provider.ts'
import { startLyingProvider } from '../../harness/sign-on/start-lying-provider.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const [invited, domains, anyone] = await Promise.all(
  ['invited', 'domains', 'anyone'].map((name) => startLoginProvider(t, { name })),
)
if (!invited || !domains || !anyone) throw new Error('three providers are started')
const providers = [invited, domains, anyone]
/** Says whatever a test wants about groups. */
const lying = await startLyingProvider(t)
const grouped = {
  ...lying.settings,
  name: 'grouped',
  accounts: 'anyone',
  groups_claim: 'groups',
  roles: { boss: 'moderator', chiefs: 'administrator', top: 'owner', outside: 'guest' },
  user_groups: { 'read one': 'Readers', 'read two': 'readers', boss: 'Nowhere' },
}
/** The operator's log. */
const lines: string[] = []
const server = await startTestServer(t, {
  logger: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  env: {
    PUBLIC_URL,
    OIDC_PROVIDERS: JSON.stringify([
      ...providers.map(({ settings }) => ({ ...settings, accounts: settings.name })),
      grouped,
    ]),
  },
})
const { url, services } = server.node
const owner = server.as('owner')
const accountOf = (email: string) => services.state.findUserByEmail(email)
const meOf = async (browser: Browser) => (await browser.send('GET', '/json/users/me')).body
for (const { people } of providers) {
  people.set('in', { email: 'new@team.example', email_verified: true, name: 'Newcomer' })
  people.set('out', { email: 'new@elsewhere.example', email_verified: true, name: 'Stranger' })
  people.set('unverified', { email: 'unverified@team.example', email_verified: false })
}

function expectAbsent(t: Test, { status, text }: BrowserAnswer, email: string) {
  t.equal(status, 403)
  t.match(text, 'You have no account here yet.')
  t.equal(accountOf(email), undefined)
}

t.test('[SSO40] without an invitation no account is made where the policy is `invited`', async (t) => {
  const events = await expectConsistent(server, async () => {
    expectAbsent(t, await signOn(new Browser(url), invited, 'in'), 'new@team.example')
  })
  t.same(events.owner, [])
})

t.test('[SSO41] the page of an invitation leads to the providers, which make its account', async (t) => {
  const { invite_link } = await owner.must('POST', '/invites/multiuse', { invite_as: 300 })
  const path = new URL(invite_link).pathname
  const page = await new Browser(url).send('GET', path)
  const [, key = ''] = /\/join\/([^/]+)/.exec(path) ?? []
  t.match(page.text, `href="/accounts/login/oidc/invited?invitation=${key}"`)
  invited.people.set('guest', { email: 'invited@example.net', email_verified: true, name: 'An Invited' })
  const browser = new Browser(url)
  await expectConsistent(server, async () => {
    t.equal((await signOn(browser, invited, 'guest', { invitation: key })).status, 303)
  })
  t.match(await meOf(browser), {
    full_name: 'An Invited',
    email: 'invited@example.net',
    role: ROLES.moderator,
  })
  expectAbsent(
    t,
    await signOn(new Browser(url), invited, 'in', { invitation: 'nonsense' }),
    'new@team.example',
  )
  expectAbsent(
    t,
    await signOn(new Browser(url), invited, 'in', { invitation: 'A'.repeat(32) }),
    'new@team.example',
  )
})

t.test('[SSO42] an invitation that is revoked during the log-in makes no account', async (t) => {
  const { invite_link } = await owner.must('POST', '/invites/multiuse', {})
  const [, invitation = ''] = /\/join\/([^/]+)/.exec(invite_link) ?? []
  const browser = new Browser(url)
  const back = await invited.agree(await beginSignOn(browser, invited, { invitation }), 'in')
  const { invites } = await owner.must('GET', '/invites')
  for (const { id } of invites) await owner.must('DELETE', `/invites/multiuse/${id}`)
  expectAbsent(t, await returnTo(browser, back), 'new@team.example')
})

t.test("[SSO43] the policy `domains` admits verified addresses of the organization's domains", async (t) => {
  expectAbsent(t, await signOn(new Browser(url), domains, 'in'), 'new@team.example')
  await owner.must('POST', '/realm/domains', { domain: 'team.example', allow_subdomains: false })
  expectAbsent(t, await signOn(new Browser(url), domains, 'out'), 'new@elsewhere.example')
  domains.people.set('sub', { email: 'a@sub.team.example', email_verified: true })
  expectAbsent(t, await signOn(new Browser(url), domains, 'sub'), 'a@sub.team.example')
  const unverified = await signOn(new Browser(url), domains, 'unverified')
  t.match(unverified, { status: 403, text: 'has not confirmed your email address' })
  t.equal(accountOf('unverified@team.example'), undefined)
  const browser = new Browser(url)
  await expectConsistent(server, async () => {
    t.equal((await signOn(browser, domains, 'in')).status, 303)
  })
  t.match(await meOf(browser), { full_name: 'Newcomer', role: ROLES.member })
})

t.test(
  '[SSO44] the policy `anyone` admits verified addresses, within the restriction to domains',
  async (t) => {
    await owner.must('PATCH', '/realm', { emails_restricted_to_domains: true })
    const refused = await signOn(new Browser(url), anyone, 'out')
    t.equal(refused.status, 403)
    t.equal(accountOf('new@elsewhere.example'), undefined)
    await owner.must('PATCH', '/realm', { emails_restricted_to_domains: false })
    t.match(await signOn(new Browser(url), anyone, 'unverified'), { status: 403 })
    const browser = new Browser(url)
    t.equal((await signOn(browser, anyone, 'out')).status, 303)
    t.match(await meOf(browser), { full_name: 'Stranger', email: 'new@elsewhere.example' })
  },
)

t.test('[SSO45] an account of a provider has no password until its user chooses one', async (t) => {
  for (const password of ['', 'undefined', 'null', 'a good password'])
    t.equal((await new Browser(url).logIn('new@elsewhere.example', password)).status, 401)
})

t.test('[SSO46] concurrent first log-ins of a person make one account', async (t) => {
  anyone.people.set('twice', { email: 'twice@example.net', email_verified: true, name: 'Twice' })
  const browsers = [1, 2, 3].map(() => new Browser(url))
  const returns = await Promise.all(
    browsers.map(async (browser) => ({
      browser,
      back: await anyone.agree(await beginSignOn(browser, anyone), 'twice'),
    })),
  )
  const answers = await Promise.all(returns.map(({ browser, back }) => returnTo(browser, back)))
  t.same(
    answers.map(({ status }) => status),
    [303, 303, 303],
  )
  const ids = await Promise.all(browsers.map(async (browser) => (await meOf(browser)).user_id))
  t.equal(new Set(ids).size, 1)
})

t.test(
  "[SSO47] a provider's name becomes a valid one, and a unique one where that is required",
  async (t) => {
    t.equal(toFullName('  Ada   <b>Lovelace</b>\n'), 'Ada b Lovelace /b')
    t.equal(toFullName('Ada|12'), 'Ada')
    t.equal(toFullName('x'.repeat(300))?.length, 100)
    for (const text of ['', 'x', '***', '@', '\u0000\u200b']) t.equal(toFullName(text), undefined, text)
    await owner.must('PATCH', '/realm', { require_unique_names: true })
    const names = []
    for (const [subject, name] of [
      ['one', 'Sam'],
      ['two', 'SAM'],
      ['three', '@'],
      ['four', undefined],
    ] as const) {
      const email = `${subject}@example.net`
      anyone.people.set(subject, { email, email_verified: true, ...(name === undefined ? {} : { name }) })
      await signOn(new Browser(url), anyone, subject)
      names.push(accountOf(email)?.fullName)
    }
    t.same(names, ['Sam', 'SAM 2', 'three', 'four'])
  },
)

t.test('[IDENT1] groups of the claim give a role and user groups, and take them away again', async (t) => {
  const browser = new Browser(url)
  const { group_id: readers } = await owner.must('POST', '/user_groups/create', {
    name: 'Readers',
    description: '',
    members: [],
  })
  const join = (groups: unknown) => withGroups('ada', { groups }, browser)
  await expectConsistent(server, () => join(['Everybody', 'boss', 'chiefs', 'read one']))
  const { user_id: id } = await meOf(browser)
  const roleOf = () => services.state.getUser(id as UserId).role
  const isReader = () => services.state.groups.get(readers as GroupId).directMembers.has(id as UserId)
  t.equal(roleOf(), ROLES.administrator, 'the highest of two roles')
  t.ok(isReader())
  t.match(lines.join(''), "there is no user group 'Nowhere'")
  const { entries } = await owner.must('GET', '/realm/audit_log', { limit: 20 })
  const audited = entries.filter(({ actor }) => actor === 'server').map(({ kind }) => kind)
  t.ok(audited.includes('user_group/add_members') && audited.includes('realm_user/update'))

  const events = await expectConsistent(server, () => join(['Everybody', 'boss', 'chiefs', 'read two']))
  t.same(events.owner, [], 'a log-in that changes nothing sends no event')
  await expectConsistent(server, () => join('boss'))
  t.equal(roleOf(), ROLES.moderator, 'one group may be a text')
  t.notOk(isReader())
  await join([])
  t.equal(roleOf(), ROLES.member, 'a role that a group gave goes with it')
})

t.test('[IDENT2] a claim that is missing, elsewhere or malformed changes nothing', async (t) => {
  const browser = new Browser(url)
  await withGroups('bob', { groups: ['boss'] }, browser)
  const { user_id: id } = await meOf(browser)
  lying.person = { sub: 'bob' }
  const elsewhere = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x' } } }
  for (const claims of [{}, elsewhere, { groups: null }, { groups: [1] }, { groups: { boss: true } }]) {
    lines.length = 0
    lying.requests.length = 0
    await withGroups('bob', claims, browser)
    t.equal(services.state.getUser(id as UserId).role, ROLES.moderator, JSON.stringify(claims))
    t.match(lines.join(''), 'does not list the groups of a person')
    const isAsked = claims !== elsewhere && !('groups' in claims)
    t.equal(lying.requests.includes('/me'), isAsked)
  }
  lying.person = { sub: 'bob', groups: [] }
  await withGroups('bob', {}, browser)
  t.equal(services.state.getUser(id as UserId).role, ROLES.member, 'the claim may come on request')
})

t.test('[IDENT3] groups neither raise guests nor lower other roles nor the last owner', async (t) => {
  const byLink = async (email: string, groups: readonly string[]) => {
    await withGroups(email, { email, groups }, new Browser(url))
    return accountOf(email)?.role
  }
  t.equal(await byLink('guest@example.com', []), ROLES.guest)
  t.equal(await byLink('guest@example.com', ['boss']), ROLES.moderator)
  t.equal(await byLink('guest@example.com', ['outside']), ROLES.guest)
  t.equal(await byLink('owner@example.com', []), ROLES.owner)
  t.match(lines.join(''), 'is the last owner')
  t.equal(await byLink('administrator@example.com', ['top']), ROLES.owner)
  t.equal(await byLink('owner@example.com', []), ROLES.member)
  t.equal(await byLink('administrator@example.com', []), ROLES.owner, 'is the last one now')
  await server.as('administrator').must('PATCH', '/users/1', { role: ROLES.owner })
  await owner.must('PATCH', '/users/2', { role: ROLES.administrator })
})

t.test('[IDENT4] rules about groups that cannot work are refused at the start', async (t) => {
  const base = { name: 'a', issuer: 'https://example.com', client_id: 'a', client_secret: 'b' }
  const read = (more: object) => parseLoginProviders(JSON.stringify([{ ...base, ...more }]))
  for (const [more, problem] of [
    [{ groups_claim: 'groups' }, /groups_claim together with roles or user_groups/],
    [{ roles: { a: 'member' } }, /groups_claim together with roles or user_groups/],
    [
      { groups_claim: 'groups', roles: { a: 'boss' } },
      /one of owner, administrator, moderator, member, guest/,
    ],
    [{ groups_claim: 'groups', roles: { a: 'toString' } }, /one of owner/],
    [{ groups_claim: 'groups', roles: [] }, /JSON object as roles/],
    [{ groups_claim: 'groups', user_groups: { a: 1 } }, /names with names in user_groups/],
    [{ groups_claim: 'groups', roles: Object.fromEntries(many(501)) }, /at most 500 groups in roles/],
    [{ scope: 'email' }, /openid in its scope/],
  ] as const)
    t.match(read(more), problem)
  t.equal(typeof read({ groups_claim: 'groups', roles: Object.fromEntries(many(500)) }), 'object')
})

function many(count: number): [string, string][] {
  return Array.from({ length: count }, (_, index) => [`group ${index}`, 'member'])
}

/** A log-in of a person whose token has these claims. */
async function withGroups(sub: string, claims: Record<string, unknown>, browser: Browser): Promise<void> {
  const email = `${sub}@example.net`
  lying.lie = { claims: (right) => ({ ...right, sub, email, name: `Person ${sub}`, ...claims }) }
  const { headers } = await browser.send('GET', '/accounts/login/oidc/grouped')
  const { status, text } = await returnTo(browser, lying.agree(headers.get('location') ?? ''))
  if (status !== 303) throw new Error(`the log-in answers ${status}: ${text}`)
}

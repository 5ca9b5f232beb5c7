/** Invitations by mail that people accept by a provider of log-ins. */

import t from 'tap'
import { ROLES } from '../../../server/domain/entities.ts'
import { Browser } from '../../harness/browser/browser.ts'
import type { Client, Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { openMailboxes } from '../../harness/mail/mailbox.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { beginSignOn, returnTo, signOn } from '../../harness/sign-on/sign-on.ts'
import { PUBLIC_URL, startLoginProvider } from '../../harness/sign-on/start-login-provider.ts'
import { startMailServer } from '../../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../../harness/mail/start-mail-workers.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'

const [invitedOnly, anyone] = [
  await startLoginProvider(t, { name: 'invited' }),
  await startLoginProvider(t, { name: 'anyone' }),
]
const providers = [invitedOnly, anyone]
const mailServer = await startMailServer(t)
const server = await startTestServer(t, {
  env: {
    ...mailServer.env,
    PUBLIC_URL,
    OIDC_PROVIDERS: JSON.stringify(
      providers.map(({ settings }) => ({ ...settings, accounts: settings.name })),
    ),
  },
})
const { lines } = await startMailWorkers(t, server)
const { url, services } = server.node
const { sql, state } = services
const mailboxes = openMailboxes(mailServer, server)
const [owner, member] = [server.as('owner'), server.as('member')]
const accountOf = (email: string) => state.findUserByEmail(email)
const meOf = async (browser: Browser) => (await browser.send('GET', '/json/users/me')).body
const addressOf = (name: string) => `${name}@team.example`

/** Invites somebody, and answers the secret of the mailed link. */
async function invited(email: string, fields: Fields = {}, client: Client = owner): Promise<string> {
  await client.must('POST', '/invites', { invitee_emails: email, stream_ids: [], ...fields })
  const [, key = ''] = /\/join\/([^/]+)\//.exec(await mailboxes.link(email)) ?? []
  return key
}
/** A person at both providers, with the name as their subject. */
function addPerson(name: string, email = addressOf(name), isVerified: unknown = true): void {
  for (const { people } of providers)
    people.set(name, { email, email_verified: isVerified, name: `A ${name}` })
}
const open = (key: string) => new Browser(url).send('GET', `/join/${key}/`)
const isValid = async (key: string) => (await open(key)).status === 200

t.test('[SSO90] the page of a mailed invitation leads to the providers, which use it up', async (t) => {
  await owner.subscribe(['kitchen'])
  const email = addressOf('ada')
  const grants = { invite_as: ROLES.moderator, stream_ids: [channelIdOf(server, 'kitchen')] }
  const key = await invited(email, grants)
  const page = await open(key)
  for (const name of ['invited', 'anyone'])
    t.match(page.text, `href="/accounts/login/oidc/${name}?invitation=${key}"`)
  t.match(page.text, `another account with the address <b>${email}</b>`)
  const refused = await new Browser(url).send('POST', `/join/${key}/`, { fields: { full_name: 'A' } })
  t.match([refused.status, refused.text], [400, `oidc/invited?invitation=${key}`])
  addPerson('ada', 'ADA@Team.example')
  const browser = new Browser(url)
  await expectConsistent(server, async () => {
    const answer = await signOn(browser, invitedOnly, 'ada', { invitation: key })
    t.same([answer.status, answer.headers.get('location')], [303, '/'])
  })
  const me = await meOf(browser)
  t.match(me, { full_name: 'A ada', role: ROLES.moderator })
  const { subscriptions } = (await browser.send('GET', '/json/users/me/subscriptions')).body
  t.match(subscriptions, [{ name: 'kitchen' }])
  t.notOk(await isValid(key))
  t.same(await sql`select from invitations where lower(email) = ${email}`, [])
  const { messages } = await owner.must('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  t.match(messages.at(-1), { content: /A ada<\/span> accepted your invitation\./ })
  const again = new Browser(url)
  t.equal((await signOn(again, invitedOnly, 'ada')).status, 303, 'later log-ins need no invitation')
  t.equal((await meOf(again)).user_id, me.user_id)
})

t.test('[SSO91] an invitation by mail makes no account for another address, and stays valid', async (t) => {
  const key = await invited(addressOf('ben'))
  addPerson('impostor')
  await invited(addressOf('impostor'), { invite_as: ROLES.guest })
  for (const provider of providers) {
    const browser = new Browser(url)
    const answer = await signOn(browser, provider, 'impostor', { invitation: key })
    t.match([answer.status, answer.text], [403, 'has another address than your invitation'])
    t.notMatch(answer.text, addressOf('ben'))
    t.equal(accountOf(addressOf('impostor')), undefined, String(provider.settings['name']))
    t.equal((await browser.send('GET', '/json/users/me')).status, 401)
  }
  t.same(await sql`select from login_links where subject = 'impostor'`, [])
  t.ok(await isValid(key))
  addPerson('ben')
  const browser = new Browser(url)
  t.equal((await signOn(browser, invitedOnly, 'ben', { invitation: key })).status, 303)
  t.match(await meOf(browser), { email: addressOf('ben') })
})

t.test('[SSO92] the provider must have verified the address of the invitation', async (t) => {
  const key = await invited(addressOf('cleo'))
  for (const isVerified of [false, null, 'true', 1]) {
    addPerson('cleo', addressOf('cleo'), isVerified)
    const answer = await signOn(new Browser(url), invitedOnly, 'cleo', { invitation: key })
    t.match([answer.status, answer.text], [403, 'has not confirmed your email address'], String(isVerified))
  }
  t.equal(accountOf(addressOf('cleo')), undefined)
  t.ok(await isValid(key))
})

t.test('[SSO93] of several invitations to an address the one that was opened counts', async (t) => {
  const email = addressOf('dan')
  const first = await invited(email, { invite_as: ROLES.member })
  const second = await invited(email, { invite_as: ROLES.guest }, member)
  addPerson('dan')
  const browser = new Browser(url)
  t.equal((await signOn(browser, invitedOnly, 'dan', { invitation: second })).status, 303)
  t.match(await meOf(browser), { role: ROLES.guest })
  for (const key of [first, second]) t.notOk(await isValid(key))
})

t.test('[SSO94] an invitation that ends during the log-in makes no account', async (t) => {
  addPerson('eve')
  const key = await invited(addressOf('eve'))
  const browser = new Browser(url)
  const back = await invitedOnly.agree(await beginSignOn(browser, invitedOnly, { invitation: key }), 'eve')
  const { invites } = await owner.must('GET', '/invites')
  const { id } = invites.find((one: { email?: string }) => one.email === addressOf('eve'))
  await owner.must('DELETE', `/invites/${id}`)
  const answer = await returnTo(browser, back)
  t.match([answer.status, answer.text], [403, 'You have no account here yet.'])
  t.equal(accountOf(addressOf('eve')), undefined)
})

t.test('[SSO95] a person with an account is logged in to it, and uses no invitation', async (t) => {
  const key = await invited(addressOf('fay'))
  addPerson('member', emailOf('member'))
  const browser = new Browser(url)
  t.equal((await signOn(browser, invitedOnly, 'member', { invitation: key })).status, 303)
  t.equal((await meOf(browser)).user_id, member.userId)
  t.equal(accountOf(addressOf('fay')), undefined)
  t.ok(await isValid(key))
})

t.test('[SSO96] of the form and the provider at once, one makes the account', async (t) => {
  const email = addressOf('gus')
  const key = await invited(email)
  addPerson('gus')
  const [browser, other] = [new Browser(url), new Browser(url)]
  const back = await invitedOnly.agree(await beginSignOn(browser, invitedOnly, { invitation: key }), 'gus')
  const fields = { full_name: 'Gus', password: 'correct horse' }
  await Promise.all([returnTo(browser, back), other.send('POST', `/join/${key}/`, { fields })])
  const made = [...state.users.values()].filter((user) => user.email.toLowerCase() === email)
  t.equal(made.length, 1)
  const ids = [(await meOf(browser)).user_id, (await meOf(other)).user_id].filter((id) => id !== undefined)
  t.ok(ids.length > 0 && ids.every((id) => id === made[0]?.id), 'nobody has another account')
})

t.test('[SSO97] neither the provider nor the log learns the secret of the invitation', async (t) => {
  const key = await invited(addressOf('hal'))
  addPerson('hal')
  const browser = new Browser(url)
  const start = await beginSignOn(browser, invitedOnly, { invitation: key })
  t.notOk(start.includes(key))
  await returnTo(browser, await invitedOnly.agree(start, 'hal'))
  t.notOk(invitedOnly.requests.join('\n').includes(key))
  t.notOk(lines.join('').includes(key))
  const rows = await sql`select event::text from event_log union all select mails::text from mails`
  t.notOk(JSON.stringify(rows).includes(key))
})

/** Links and codes that are used at the same time, in several processes, or while the account changes. */

import t from 'tap'
import { storeAddressToken } from '../../../db/accounts/address-changes.ts'
import { storeJoining } from '../../../db/accounts/joinings.ts'
import { storeInvitationToken } from '../../../db/mail/mailed-invitations.ts'
import { storeReset } from '../../../db/accounts/password-resets.ts'
import { newApiKey } from '../../../server/changes/passwords.ts'
import type { InvitationId, UserId } from '../../../server/domain/ids.ts'
import { Browser, type BrowserAnswer } from '../../harness/browser/browser.ts'
import { confirmAddress } from '../../harness/mail/change-address.ts'
import type { Client } from '../../harness/client/client.ts'
import { FactorAccounts, isIn, PROOF } from '../../harness/sign-on/factor-accounts.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock, redis: true })
const another = await server.startAnotherNode()
const { sql, state, passwords } = server.node.services
const URLS = [server.node.url, another.node.url] as const
const owner = server.as('owner')
const people = new FactorAccounts(server, clock)
const PASSWORDS = [
  'the first new one',
  'the second new one',
  'the third new one',
  'the fourth new one',
] as const
const idOf = ({ userId }: Client) => userId as UserId

/** The path of a link that a mail has, with a new token. */
async function makeLink(folder: string, store: (tokenHash: string) => Promise<unknown>): Promise<string> {
  const { apiKey, keyHash } = newApiKey()
  await store(keyHash)
  return `${folder}${apiKey}/`
}
const resetLink = (client: Client) =>
  makeLink('/accounts/password/reset/', (hash) => storeReset(sql, idOf(client), client.email, hash))
const post = (path: string, fields: Record<string, string>, at: string = URLS[0]) =>
  new Browser(at).send('POST', path, { fields })
const works = async ({ email }: Client, password: string) =>
  (await server.anyone.post('/fetch_api_key', { username: email, password })).status === 200

/** Sends one request for each of some values at once, to both processes in turn; returns the values that won. */
async function race<Value>(
  values: readonly Value[],
  sendOne: (value: Value, at: string) => Promise<BrowserAnswer>,
  isWon: (answer: BrowserAnswer) => boolean = ({ status }) => status < 400,
): Promise<Value[]> {
  const answers = await Promise.all(values.map((value, index) => sendOne(value, URLS[index % 2] ?? '')))
  for (const { status } of answers) if (status >= 500) throw new Error(`an answer has the status ${status}`)
  return values.filter((_, index) => isWon(answers[index] as BrowserAnswer))
}

/** Submits a form with a password, while something changes after the form was read and before its commit. */
async function postDuring(path: string, fields: Record<string, string>, change: () => Promise<unknown>) {
  const hash = passwords.hash.bind(passwords)
  let hasChanged = false
  passwords.hash = async (password) => {
    passwords.hash = hash
    await change()
    hasChanged = true
    return hash(password)
  }
  const answer = await post(path, fields)
  t.ok(hasChanged, 'the change came in between')
  return answer
}

t.test('[RACE1] of resets with one link, in two processes, one sets the password', async (t) => {
  const person = await people.addPerson()
  const path = await resetLink(person)
  const won = await race(PASSWORDS, (password, at) => post(path, { password }, at))
  t.equal(won.length, 1)
  for (const password of PASSWORDS) t.equal(await works(person, password), won.includes(password))
  t.notOk(await works(person, PROOF.password))
})

t.test('[RACE2] the links of a mail and of its repetition set the password once, too', async (t) => {
  const person = await people.addPerson()
  const former = await resetLink(person)
  const newer = await makeLink('/accounts/password/reset/', (hash) => {
    return sql`update password_resets set former_hash = token_hash, token_hash = ${hash} where user_id = ${person.userId}`
  })
  const won = await race([former, newer, former, newer], (path, at) => post(path, { password: path }, at))
  t.equal(won.length, 1)
  t.ok(await works(person, won[0] ?? ''))
})

t.test('[RACE3] a newer link ends an older one, even while that is used', async (t) => {
  const person = await people.addPerson()
  const older = await resetLink(person)
  let newer = ''
  const late = await postDuring(older, { password: 'by the older one' }, async () => {
    newer = await resetLink(person)
  })
  t.equal(late.status, 404)
  t.notOk(await works(person, 'by the older one'))
  t.equal((await post(newer, { password: 'by the newer one' })).status, 303)
  t.ok(await works(person, 'by the newer one'))
  const [first, second] = [await resetLink(person), await resetLink(person)]
  t.equal((await post(second, { password: 'by the second one' })).status, 303)
  t.equal((await post(first, { password: 'by the first one' })).status, 404)
})

const CHANGES: readonly (readonly [string, (person: Client) => Promise<unknown>])[] = [
  [
    'another address',
    async (person) => {
      const email = `other-${person.email}`
      await person.must('PATCH', '/settings', { email, old_password: PROOF.password })
      const { status } = await confirmAddress(server, person.userId, email)
      t.equal(status, 200)
    },
  ],
  ['a deactivation', (person) => owner.must('DELETE', `/users/${person.userId}`)],
  [
    'a deactivation that is undone',
    async (person) => {
      await owner.must('DELETE', `/users/${person.userId}`)
      await owner.must('POST', `/users/${person.userId}/reactivate`)
    },
  ],
  ['another role', (person) => owner.must('PATCH', `/users/${person.userId}`, { role: 600 })],
  [
    'another password',
    (person) =>
      person.must('PATCH', '/settings', { old_password: PROOF.password, new_password: 'chosen here' }),
  ],
]

for (const [name, change] of CHANGES) {
  t.test(`[RACE4] ${name} ends a link for a new password, before and during its use`, async (t) => {
    const hashOf = async ({ userId }: Client) =>
      (await sql`select password_hash as hash from users where id = ${userId}`)[0]?.['hash']
    for (const isDuring of [false, true]) {
      const person = await people.addPerson()
      const path = await resetLink(person)
      let hash: unknown
      const make = async () => {
        await change(person)
        hash = await hashOf(person)
      }
      if (!isDuring) await make()
      const fields = { password: 'by the link' }
      const { status } = isDuring ? await postDuring(path, fields, make) : await post(path, fields)
      t.equal(status, 404, isDuring ? 'during' : 'before')
      t.equal(await hashOf(person), hash)
      t.equal((await post(path, fields)).status, 404)
    }
  })
}

t.test('[RACE5] of joins with one link of a mail, in two processes, one makes an account', async (t) => {
  await owner.must('POST', '/invites', { invitee_emails: 'raced@example.com', stream_ids: [] })
  await owner.must('POST', '/invites/multiuse')
  const newest = async (form: 'key' | 'email') => {
    const [row] = await sql`select max(id) as id from invitations where ${sql(form)} is not null`
    return row?.['id'] as InvitationId
  }
  const mailed = await newest('email')
  const invited = await makeLink('/join/', (hash) => storeInvitationToken(sql, mailed, hash))
  const open = await newest('key')
  const confirmed = await makeLink('/accounts/join/', (hash) =>
    storeJoining(sql, open, 'confirmed@example.com', hash),
  )
  for (const [path, email] of [
    [invited, 'raced@example.com'],
    [confirmed, 'confirmed@example.com'],
  ] as const) {
    const won = await race(PASSWORDS, (password, at) =>
      post(path, { full_name: 'Raced Person', password }, at),
    )
    t.equal(won.length, 1)
    t.equal((await sql`select from users where email = ${email}`).length, 1)
    for (const password of PASSWORDS) {
      const { status } = await server.anyone.post('/fetch_api_key', { username: email, password })
      t.equal(status === 200, won.includes(password))
    }
  }
})

t.test('[RACE6] of two users who confirm the same address at once, one gets it', async (t) => {
  const both = [await people.addPerson(), await people.addPerson()]
  const paths = await Promise.all(
    both.map(async (person) => {
      const fields = { email: 'shared@example.com', old_password: PROOF.password }
      await person.must('PATCH', '/settings', fields)
      return makeLink('/accounts/address/', (hash) =>
        storeAddressToken(sql, idOf(person), 'shared@example.com', hash),
      )
    }),
  )
  const won = await race([...paths, ...paths], (path, at) => post(path, {}, at))
  t.equal(won.length, 1)
  const winner = both[paths.indexOf(won[0] ?? '')]
  const holders = [...state.users.values()].filter(({ email }) => email === 'shared@example.com')
  t.same(
    holders.map(({ id }) => id),
    [winner?.userId],
  )
})

for (const kind of ['a code', 'a recovery code'] as const) {
  t.test(`[RACE7] ${kind} that is used on the page and by the API at once logs in once`, async (t) => {
    const account = await people.addAccount()
    const steps = [await people.firstStep(account.email), await people.firstStep(account.email)]
    const otp_token = kind === 'a code' ? account.code() : (account.recoveryCodes[0] ?? '')
    const ways: readonly ((at: string) => Promise<BrowserAnswer>)[] = [
      (at) => people.secondStep((steps[0] as Browser).at(at), otp_token),
      (at) => people.secondStep((steps[1] as Browser).at(at), otp_token),
      (at) => people.logIn(account.email, { otp_token }, at),
      (at) => post('/api/v1/fetch_api_key', { username: account.email, ...PROOF, otp_token }, at),
      (at) => people.logIn(account.email, { otp_token }, at),
    ]
    const won = await race(ways, (way, at) => way(at))
    t.equal(won.length, 1)
  })
}

t.test('[RACE8] one first step leads to one session, even with two right codes at once', async (t) => {
  const account = await people.addAccount()
  const browser = await people.firstStep(account.email)
  const codes = [account.code(), ...account.recoveryCodes.slice(0, 3)]
  const browsers = codes.map((_, index) => browser.at(URLS[index % 2] as string))
  await race(
    codes.map((code, index) => ({ code, used: browsers[index] as Browser })),
    ({ code, used }) => people.secondStep(used, code),
  )
  const sessions = await Promise.all(browsers.map(isIn))
  t.equal(sessions.filter(Boolean).length, 1)
})

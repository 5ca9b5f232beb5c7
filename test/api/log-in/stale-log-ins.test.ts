/** Log-ins whose credentials change while they are checked. */

import t from 'tap'
import { StaleProofError } from '../../../db/accounts/login-proofs.ts'
import { storePasswordHash } from '../../../db/accounts/users.ts'
import { setPassword } from '../../../server/changes/users/set-password.ts'
import { startSession } from '../../../server/changes/users/login-sessions.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const { services } = server.node
const { passwords, sql, state } = services
const userId = server.as('member').userId as UserId
const PASSWORD = 'correct horse'
const hash = await passwords.hash(PASSWORD)
const otherHash = await passwords.hash('another horse')
const fields = { username: emailOf('member'), password: PASSWORD }

/** Logs in, while something changes right after the password was found to be right. */
async function logInDuring<Result>(change: () => Promise<unknown>, logIn: () => Promise<Result>) {
  await storePasswordHash(sql, userId, hash)
  const verify = passwords.verify.bind(passwords)
  let isRight = false
  passwords.verify = async (...given) => {
    isRight = await verify(...given)
    passwords.verify = verify
    await change()
    return isRight
  }
  const answer = await logIn()
  t.ok(isRight, 'the password was right when it was checked')
  return answer
}

const CHANGES: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['another password', () => setPassword(services, userId, otherHash)],
  [
    'an authenticator app',
    () => sql`insert into totp_factors (user_id, secret, started_at, enabled_at)
      values (${userId}, ${'A'.repeat(32)}, 1, 1)`,
  ],
]

for (const [name, change] of CHANGES) {
  t.test(`[LOGIN20] ${name} during a log-in lets it leave no key and no session`, async (t) => {
    const api = await logInDuring(change, () => {
      return server.anyone.post('/fetch_api_key', fields)
    })
    t.match(api, { status: 401, body: { code: 'AUTHENTICATION_FAILED' } })
    await sql`delete from totp_factors`
    for (const path of ['/json/login', '/accounts/login']) {
      const browser = new Browser(server.node.url)
      const answer = await logInDuring(change, () => browser.send('POST', path, { fields }))
      t.equal(answer.status, path === '/json/login' ? 401 : 403, path)
      t.notOk(browser.cookies.has('sessionid'), path)
      await sql`delete from totp_factors`
    }
    t.same(state.loginSessions.get(userId) ?? [], [])
    t.same(await sql`select id from login_sessions where user_id = ${userId}`, [])
    // The change of the password made one key that nobody has; the log-ins added none.
    t.ok((state.apiKeyHashes.get(userId)?.length ?? 0) <= 1)
  })
}

t.test('[LOGIN21] a passkey that is removed during its log-in starts no session', async (t) => {
  const device = { client: 'A browser', address: '127.0.0.1' }
  const proof = { kind: 'passkey', id: 'removed' } as const
  await t.rejects(startSession(services, userId, { device, former: undefined, proof }), StaleProofError)
  t.same(state.loginSessions.get(userId) ?? [], [])
})

t.test('[LOGIN71] a user who is deactivated during a log-in gets no session', async (t) => {
  const member2 = server.as('member2').userId as UserId
  await storePasswordHash(sql, member2, hash)
  const deactivate = () => server.as('owner').must('DELETE', `/users/${member2}`)
  const browser = new Browser(server.node.url)
  const given = { username: emailOf('member2'), password: PASSWORD }
  const answer = await logInDuring(deactivate, () => browser.send('POST', '/json/login', { fields: given }))
  t.equal(answer.status, 401)
  t.notOk(browser.cookies.has('sessionid'))
  const device = { client: 'A browser', address: '127.0.0.1' }
  t.equal(await startSession(services, member2, { device, former: undefined }), undefined)
  t.same(state.loginSessions.get(member2) ?? [], [])
})

t.test('[LOGIN22] a user who is deactivated during a log-in gets no key', async (t) => {
  const { userId: guestId } = server.as('guest')
  await storePasswordHash(sql, guestId as UserId, hash)
  const before = state.apiKeyHashes.get(guestId as UserId)
  const deactivate = () => server.as('owner').must('DELETE', `/users/${guestId}`)
  const answer = await logInDuring(deactivate, () =>
    server.anyone.post('/fetch_api_key', { username: emailOf('guest'), password: PASSWORD }),
  )
  t.match(answer, { status: 401, body: { msg: 'Account is deactivated' } })
  t.same(
    (state.apiKeyHashes.get(guestId as UserId) ?? []).filter((one) => !before?.includes(one)),
    [],
  )
})

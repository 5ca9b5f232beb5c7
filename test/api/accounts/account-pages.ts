/** Every page and operation of accounts, each with a request that would succeed; the walks of attacks use them. */

import { storeAddressToken } from '../../../db/accounts/address-changes.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import { storeJoining } from '../../../db/accounts/joinings.ts'
import { storeInvitationToken } from '../../../db/mail/mailed-invitations.ts'
import { readAddressSecret } from '../../../db/accounts/signing-secrets.ts'
import { storeReset } from '../../../db/accounts/password-resets.ts'
import { createSetupLink } from '../../../server/changes/organization/set-up.ts'
import { newApiKey } from '../../../server/changes/passwords.ts'
import { stopMailsUrl } from '../../../server/changes/users/stop-mails.ts'
import type { InvitationId, UserId } from '../../../server/domain/ids.ts'
import { addUser } from '../../harness/worlds/add-user.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { type FactorAccounts, PROOF } from '../../harness/sign-on/factor-accounts.ts'
import { answerXml, beginSaml, postSaml } from '../../harness/sign-on/saml-provider.ts'
import { beginSignOn, startPath } from '../../harness/sign-on/sign-on.ts'
import type { CallProvider } from '../../harness/providers/start-call-provider.ts'
import type { LoginProviderServer } from '../../harness/sign-on/start-login-provider.ts'
import type { TestServer } from '../../harness/servers/start-server.ts'

/** A request that would succeed, of a browser that may send it. */
export interface Visit {
  readonly browser: Browser
  /** The database of its server, if that is another than the others' one. */
  readonly sql?: Sql
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  /** The same with a token that nobody made. */
  readonly unknown?: { readonly path?: string; readonly fields?: Record<string, string>; browser?: Browser }
}

/** A page or an operation. */
export interface AccountPage {
  /** The name of a form, or method and path of an operation. */
  readonly at: string
  /** Makes a request with a fresh token, if it has one. */
  prepare(): Promise<Visit>
  /** The status of the success. */
  readonly success: number
  /** Whether many may use its token. */
  readonly isForMany?: true
  /** Whether the address names what a stranger may open: it stores something, without any token. */
  readonly opensByGet?: true
}

/** The servers and people of the walk. */
export interface Scene {
  readonly server: TestServer
  /** Starts a server without an organization. */
  readonly startEmpty: () => Promise<TestServer>
  readonly people: FactorAccounts
  readonly provider: LoginProviderServer
  readonly calls: CallProvider
  readonly demoToken: string
}

const PASSWORD = 'a new password of theirs'
/** A token of the right form that nobody made. */
export const UNKNOWN = 'u'.repeat(32)

/** All pages and operations. */
export function accountPages(scene: Scene): readonly AccountPage[] {
  const { server, startEmpty, people, provider, calls, demoToken } = scene
  const { sql } = server.node.services
  const { url } = server.node
  const owner = server.as('owner')
  let count = 0
  const address = () => `visitor${++count}@example.com`

  /** A page whose token is in its path. */
  const byToken = (
    at: string,
    folder: string,
    fields: Record<string, string>,
    store: (keyHash: string) => Promise<unknown>,
  ): AccountPage => ({
    at,
    success: at === 'new-address' ? 200 : 303,
    async prepare() {
      const { apiKey, keyHash } = newApiKey()
      await store(keyHash)
      const unknown = { path: `${folder}${UNKNOWN}/` }
      return { browser: new Browser(url), method: 'POST', path: `${folder}${apiKey}/`, fields, unknown }
    },
  })
  const linkOf = async () => new URL((await owner.must('POST', '/invites/multiuse')).invite_link).pathname
  const account = () => ({ full_name: `Visitor ${++count}`, password: PASSWORD })
  const subject = async () => {
    const { email } = await people.addPerson()
    provider.people.set(email, { email, email_verified: true })
    return email
  }
  const operation = (at: string, fields: () => Promise<Record<string, string>>): AccountPage => ({
    at,
    success: 200,
    async prepare() {
      const [method = '', path = ''] = at.split(' ')
      return {
        browser: new Browser(url),
        method: method as 'POST',
        path: `/json${path}`,
        fields: await fields(),
      }
    },
  })
  const login = async () => ({ username: (await people.addPerson()).email, ...PROOF })
  const loggedIn = async () => {
    const { email } = await people.addPerson()
    const browser = new Browser(url)
    await browser.logIn(email, PROOF.password)
    return browser
  }

  return [
    {
      at: 'call-login',
      success: 200,
      async prepare() {
        const client = await addUser(server, `caller${++count}`)
        const query = calls.agree((await client.must('GET', '/calls/provider/register')).url)
        const fields = Object.fromEntries(query)
        const unknown = { fields: { ...fields, state: UNKNOWN } }
        return {
          browser: new Browser(url),
          method: 'POST',
          path: '/calls/provider/complete',
          fields,
          unknown,
        }
      },
    },
    {
      at: 'join',
      success: 200,
      isForMany: true,
      prepare: async () => ({
        browser: new Browser(url),
        method: 'POST',
        path: await linkOf(),
        fields: { email: address() },
      }),
    },
    byToken('join', '/join/', account(), async (keyHash) => {
      await owner.must('POST', '/invites', { invitee_emails: address(), stream_ids: [] })
      const [row] = await sql`select max(id) as id from invitations where email is not null`
      await storeInvitationToken(sql, row?.['id'] as InvitationId, keyHash)
    }),
    byToken('confirmed-join', '/accounts/join/', account(), async (keyHash) => {
      await linkOf()
      const [row] = await sql`select max(id) as id from invitations where key is not null`
      await storeJoining(sql, row?.['id'] as InvitationId, address(), keyHash)
    }),
    {
      at: 'log-in',
      success: 303,
      prepare: async () => ({
        browser: new Browser(url),
        method: 'POST',
        path: '/accounts/login',
        fields: await login(),
      }),
    },
    {
      at: 'log-in-code',
      success: 303,
      async prepare() {
        const account = await people.addAccount()
        const browser = await people.firstStep(account.email)
        const unknown = { browser: new Browser(url, [['loginstep', 'u'.repeat(43)]]) }
        return {
          browser,
          method: 'POST',
          path: '/accounts/login/code',
          fields: { code: account.code() },
          unknown,
        }
      },
    },
    {
      at: 'provider-login',
      success: 303,
      opensByGet: true,
      prepare: async () => ({
        browser: new Browser(url),
        method: 'GET',
        path: startPath(provider),
        fields: {},
      }),
    },
    {
      at: 'provider-login',
      success: 303,
      async prepare() {
        const browser = new Browser(url)
        const back = await provider.agree(await beginSignOn(browser, provider), await subject())
        const fields = Object.fromEntries(back.searchParams)
        const unknown = { fields: { ...fields, state: UNKNOWN } }
        return { browser, method: 'GET', path: back.pathname, fields, unknown }
      },
    },
    {
      at: 'saml-login',
      success: 303,
      opensByGet: true,
      prepare: async () => ({
        browser: new Browser(url),
        method: 'GET',
        path: '/accounts/login/saml/company',
        fields: {},
      }),
    },
    {
      // Another site posts the answer before it by design: [SAML3] to [SAML6] attack that one.
      at: 'saml-login',
      success: 303,
      async prepare() {
        const browser = new Browser(url)
        const request = await beginSaml(browser)
        const attributes = { email: server.as('member').email }
        const { headers } = await postSaml(browser, answerXml(request, { attributes }), request.state)
        const next = new URL(headers.get('location') ?? '', url)
        const fields = Object.fromEntries(next.searchParams)
        const unknown = { fields: { ...fields, state: UNKNOWN } }
        return { browser, method: 'GET', path: next.pathname, fields, unknown }
      },
    },
    {
      at: 'desktop-token',
      success: 200,
      prepare: async () => ({
        browser: new Browser(url),
        method: 'GET',
        path: '/accounts/login/desktop',
        fields: {},
      }),
    },
    {
      at: 'log-out',
      success: 303,
      async prepare() {
        const browser = await loggedIn()
        const fields = { csrfmiddlewaretoken: browser.csrfToken }
        return { browser, method: 'POST', path: '/accounts/logout', fields }
      },
    },
    {
      at: 'ask-reset',
      success: 200,
      prepare: async () => ({
        browser: new Browser(url),
        method: 'POST',
        path: '/accounts/password/reset/',
        fields: { email: (await people.addPerson()).email },
      }),
    },
    {
      at: 'security',
      success: 303,
      async prepare() {
        const browser = await loggedIn()
        const fields = { csrfmiddlewaretoken: browser.csrfToken, action: 'confirm', ...PROOF }
        return { browser, method: 'POST', path: '/accounts/security', fields }
      },
    },
    {
      // Every person may allow the same client; agent-log-in.test.ts has the rest.
      at: 'allow-agent',
      success: 303,
      isForMany: true,
      async prepare() {
        const browser = await loggedIn()
        const client = await server.node.services.agentClients?.register({
          redirect_uris: ['http://localhost/'],
        })
        const fields = {
          csrfmiddlewaretoken: browser.csrfToken,
          response_type: 'code',
          client_id: client?.id ?? '',
          redirect_uri: 'http://localhost/',
          code_challenge: 'a'.repeat(43),
          code_challenge_method: 'S256',
          decision: 'allow',
        }
        return { browser, method: 'POST', path: '/oauth/authorize', fields }
      },
    },
    byToken('reset', '/accounts/password/reset/', { password: PASSWORD }, async (keyHash) => {
      const { userId, email } = await people.addPerson()
      await storeReset(sql, userId as UserId, email, keyHash)
    }),
    byToken('new-address', '/accounts/address/', {}, async (keyHash) => {
      const client = await people.addPerson()
      const email = address()
      await client.must('PATCH', '/settings', { email, old_password: PROOF.password })
      await storeAddressToken(sql, client.userId as UserId, email, keyHash)
    }),
    {
      // Without a log-in it leads to one; see meetings.test.ts for the rest.
      at: 'join-meeting',
      success: 303,
      isForMany: true,
      prepare: async () => ({
        browser: new Browser(url),
        method: 'POST',
        path: '/calls/bigbluebutton/join',
        fields: { bigbluebutton: UNKNOWN },
      }),
    },
    {
      at: 'stop-mails',
      success: 200,
      isForMany: true,
      async prepare() {
        const { userId, email } = await people.addPerson()
        const secret = await readAddressSecret(sql)
        const { pathname } = new URL(stopMailsUrl(url, secret, { id: userId as UserId, email }))
        return { browser: new Browser(url), method: 'POST', path: pathname, fields: {} }
      },
    },
    {
      at: 'set-up',
      success: 200,
      async prepare() {
        const { url: at, services } = (await startEmpty()).node
        const path = new URL((await createSetupLink(services.sql, at)).url).pathname
        const fields = {
          organization: 'Ours',
          full_name: 'Ann',
          email: address(),
          password: PASSWORD,
          channels: 'a',
        }
        return {
          browser: new Browser(at),
          sql: services.sql,
          method: 'POST',
          path,
          fields,
          unknown: { path: `/setup/${UNKNOWN}/` },
        }
      },
    },
    operation('POST /fetch_api_key', login),
    operation('POST /login', login),
    operation('GET /demo_accounts', async () => ({ token: demoToken })),
    operation('POST /demo_login', async () => ({ token: demoToken, email: owner.email })),
    {
      at: 'POST /logout',
      success: 200,
      prepare: async () => ({ browser: await loggedIn(), method: 'POST', path: '/json/logout', fields: {} }),
    },
  ]
}

/** Operations that log in, or are for anyone, and have no place in the walk, with the reason. */
export const WALKED_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['GET /server_settings', 'is about the server alone'],
  ['GET /realm/icon', 'the same'],
  ['GET /realm/logo', 'the same'],
  [
    'POST /dev_fetch_api_key',
    'is for development: it says who has an account; see development-logins.test.ts',
  ],
  ['GET /dev_list_users', 'the same'],
  ['POST /login/desktop', 'needs the key of an app; see app-log-ins.test.ts'],
  ['POST /login/passkey', 'needs a device; see passkeys.test.ts'],
  ['POST /login/passkey/options', 'the same'],
])

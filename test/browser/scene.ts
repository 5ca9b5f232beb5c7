/** A server with accounts and a provider of calls, for the pages that tests open in a browser. */

import type { Page } from 'playwright-core'
import { storePasswordHash } from '../../db/accounts/users.ts'
import { storeAddressToken } from '../../db/accounts/address-changes.ts'
import { storeJoining } from '../../db/accounts/joinings.ts'
import { storeReset } from '../../db/accounts/password-resets.ts'
import { readAddressSecret } from '../../db/accounts/signing-secrets.ts'
import { findInvitation, joiningUrl } from '../../server/changes/invitations/join-by-invitation.ts'
import { newApiKey } from '../../server/changes/passwords.ts'
import { addressUrl } from '../../server/changes/users/confirm-address.ts'
import { resetUrl } from '../../server/changes/users/set-password.ts'
import { stopMailsUrl } from '../../server/changes/users/stop-mails.ts'
import { createSetupLink } from '../../server/changes/organization/set-up.ts'
import type { UserId } from '../../server/domain/ids.ts'
import type { TestContext } from '../harness/databases/create-database.ts'
import { startCallProvider } from '../harness/providers/start-call-provider.ts'
import { emailOf, type Person, startTestServer, type TestServer } from '../harness/servers/start-server.ts'

/** The password of the people. */
export const PASSWORD = 'correct horse battery'

/** The server, and ways to the states that pages show. */
export interface Scene {
  readonly server: TestServer
  /** The link of a new invitation. */
  invite(): Promise<string>
  /** The link of a mail that confirms an address for a new account. */
  confirm(email: string): Promise<string>
  /** The link of a mail that confirms a new address of a person. */
  changeAddress(person: Person, email: string): Promise<string>
  /** A link to set up the organization of another server, which has none yet. */
  prepareSetUp(): Promise<string>
  /** The link of a mail for a new password. */
  askForReset(person: Person): Promise<string>
  /** The link of a mail with which a person stops such mails. */
  stopMails(person: Person): Promise<string>
  /** The address to which the provider of calls sends a person back. */
  agreeToCalls(person: Person): Promise<string>
  /** The path to which an agent sends its person. */
  askForAgent(): Promise<string>
}

/** Starts the server; it is closed with the test. */
export async function startScene(t: TestContext): Promise<Scene> {
  const provider = await startCallProvider(t)
  const server = await startTestServer(t, { env: provider.env })
  const empty = await startTestServer(t, { isEmpty: true })
  const { sql, passwords } = server.node.services
  const hash = await passwords.hash(PASSWORD)
  for (const person of ['owner', 'moderator', 'member', 'member2'] as const)
    await storePasswordHash(sql, server.as(person).userId as UserId, hash)
  // Nobody has this app: the view is the question for its code.
  const { userId } = server.as('moderator')
  await sql`insert into totp_factors (user_id, secret, started_at, enabled_at) values (${userId}, ${'A'.repeat(32)}, 1, 1)`
  return {
    server,
    async invite() {
      const { invite_link } = await server.as('owner').must('POST', '/invites/multiuse')
      return invite_link
    },
    async confirm(email) {
      const { invite_link } = await server.as('owner').must('POST', '/invites/multiuse')
      const invitation = await findInvitation(server.node.services, invite_link.slice(-33, -1))
      const { apiKey, keyHash } = newApiKey()
      if (!invitation || !(await storeJoining(sql, invitation.id, email, keyHash)))
        throw new Error('the invitation is gone')
      return joiningUrl(server.node.url, apiKey)
    },
    async changeAddress(person, email) {
      const client = server.as(person)
      await client.must('PATCH', '/settings', { email, old_password: PASSWORD })
      const { apiKey, keyHash } = newApiKey()
      await storeAddressToken(sql, client.userId as UserId, email, keyHash)
      return addressUrl(server.node.url, apiKey)
    },
    async prepareSetUp() {
      const { url } = await createSetupLink(empty.node.services.sql, empty.node.url)
      return url
    },
    async askForReset(person) {
      const { apiKey, keyHash } = newApiKey()
      const { userId, email } = server.as(person)
      await storeReset(sql, userId as UserId, email, keyHash)
      return resetUrl(server.node.url, apiKey)
    },
    async stopMails(person) {
      const { userId, email } = server.as(person)
      return stopMailsUrl(server.node.url, await readAddressSecret(sql), { id: userId as UserId, email })
    },
    async agreeToCalls(person) {
      const { url } = await server.as(person).must('GET', '/calls/provider/register')
      return `${server.node.url}/calls/provider/complete?${provider.agree(url).toString()}`
    },
    async askForAgent() {
      const address = 'http://127.0.0.1:7777/callback'
      const description = { client_name: 'Notes', redirect_uris: [address] }
      const client = await server.node.services.agentClients?.register(description)
      const query = {
        response_type: 'code',
        client_id: client?.id ?? '',
        redirect_uri: address,
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
      }
      return `/oauth/authorize?${new URLSearchParams(query).toString()}`
    },
  }
}

/** Fills in the page to log in, and submits it. */
export async function logIn(page: Page, person: Person, password = PASSWORD): Promise<void> {
  await page.goto('/accounts/login?next=/accounts/security')
  await page.getByLabel('Email address').fill(emailOf(person))
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

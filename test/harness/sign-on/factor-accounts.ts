/** People with passwords and authenticator apps, as tests of second factors need them. */

import { TOTP } from 'otpauth'
import { storePasswordHash } from '../../../db/accounts/users.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { addUser } from '../worlds/add-user.ts'
import { Browser, type BrowserAnswer } from '../browser/browser.ts'
import type { Answer, Client } from '../client/client.ts'
import type { ManualClock } from '../servers/manual-clock.ts'
import type { TestServer } from '../servers/start-server.ts'
import type { ReplyAt } from '../client/wire-types.ts'

const PASSWORD = 'correct horse battery'
/** The password of each of these people, as the proof of a request. */
export const PROOF = { password: PASSWORD }
export const REQUIRED = { status: 401, body: { result: 'error', code: 'SECOND_FACTOR_REQUIRED' } }
export const WRONG = { status: 401, body: { result: 'error', code: 'SECOND_FACTOR_INCORRECT' } }

/** An app with a secret. */
export interface App {
  /** The code that the app shows in a step in which it has shown none yet. */
  code(): string
  /** The code of this very step. */
  sameCode(): string
}

/** A person with an authenticator app. */
export interface Account extends App {
  readonly client: Client
  readonly email: string
  readonly recoveryCodes: readonly string[]
}

/** The code of another secret, for sure. */
export const wrongCode = (right: string) => String((Number(right) + 1) % 1_000_000).padStart(6, '0')

/** Whether a browser is logged in. */
export const isIn = async (browser: Browser) => (await browser.send('GET', '/json/users/me')).status === 200

/** Adds people to a server, and logs them in. */
export class FactorAccounts {
  readonly #server: TestServer
  readonly #clock: ManualClock
  readonly #hash: Promise<string>
  #count = 0

  constructor(server: TestServer, clock: ManualClock) {
    this.#server = server
    this.#clock = clock
    this.#hash = server.node.services.passwords.hash(PASSWORD)
  }

  get url(): string {
    return this.#server.node.url
  }

  /** A person with a password. */
  async addPerson(): Promise<Client> {
    const client = await addUser(this.#server, `person${++this.#count}`)
    await this.restorePassword(client)
    return client
  }

  async restorePassword({ userId }: Client): Promise<void> {
    await storePasswordHash(this.#server.node.services.sql, userId as UserId, await this.#hash)
  }

  /** A person with an authenticator app. */
  async addAccount(): Promise<Account> {
    const client = await this.addPerson()
    const { secret } = await client.must('POST', '/users/me/two_factor/totp', PROOF)
    const app = this.appOf(secret)
    const otp_token = app.code()
    const { recovery_codes } = await client.must('POST', '/users/me/two_factor/totp/confirm', { otp_token })
    return { client, email: client.email, recoveryCodes: recovery_codes, ...app }
  }

  appOf(secret: string): App {
    const app = new TOTP({ secret })
    const sameCode = () => app.generate({ timestamp: this.#clock.nowMs() })
    const code = () => {
      this.#clock.advance(31_000)
      return sameCode()
    }
    return { code, sameCode }
  }

  logIn(email: string, fields: Record<string, string> = {}, at = this.url): Promise<BrowserAnswer> {
    return new Browser(at).send('POST', '/json/login', { fields: { username: email, ...PROOF, ...fields } })
  }

  fetchKey(
    email: string,
    fields: Record<string, string> = {},
  ): Promise<Answer<ReplyAt<'POST', '/fetch_api_key'>>> {
    return this.#server.anyone.post('/fetch_api_key', { username: email, ...PROOF, ...fields })
  }

  /** A browser after the first step of the page. */
  async firstStep(email: string): Promise<Browser> {
    const browser = new Browser(this.url)
    const { status } = await browser.send('POST', '/accounts/login', {
      fields: { username: email, ...PROOF },
    })
    if (status !== 303) throw new Error(`the first step answered ${status}`)
    return browser
  }

  secondStep(browser: Browser, code: string, fields: Record<string, string> = {}): Promise<BrowserAnswer> {
    return browser.send('POST', '/accounts/login/code', { fields: { code, ...fields } })
  }
}

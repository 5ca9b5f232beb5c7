/** A real browser whose device holds passkeys: the virtual authenticator of Chromium. */

import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import type { Refusal, ReplyAt } from '../client/wire-types.ts'

/** An answer of the server. */
export interface PasskeyReply<Reply> {
  readonly status: number
  readonly body: Reply & Refusal
}

/** One browser with one device. */
export class PasskeyBrowser {
  readonly context: BrowserContext
  readonly page: Page
  readonly #device: CDPSession
  readonly #deviceId: string

  private constructor(page: Page, device: CDPSession, deviceId: string) {
    this.context = page.context()
    this.page = page
    this.#device = device
    this.#deviceId = deviceId
  }

  static async open(browser: Browser, baseURL: string): Promise<PasskeyBrowser> {
    const context = await browser.newContext({ baseURL })
    const page = await context.newPage()
    const device = await context.newCDPSession(page)
    await device.send('WebAuthn.enable')
    const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return new PasskeyBrowser(page, device, authenticatorId)
  }

  /** The passkeys on the device. */
  async credentials() {
    const { credentials } = await this.#device.send('WebAuthn.getCredentials', {
      authenticatorId: this.#deviceId,
    })
    return credentials
  }

  /** Puts a copy of another device's passkeys on this one. */
  async copyFrom(other: PasskeyBrowser): Promise<void> {
    for (const credential of await other.credentials())
      await this.#device.send('WebAuthn.addCredential', { authenticatorId: this.#deviceId, credential })
  }

  /** From now on the device uses its passkeys for anyone who holds it. */
  async stopVerifying(): Promise<void> {
    await this.#device.send('WebAuthn.setUserVerified', {
      authenticatorId: this.#deviceId,
      isUserVerified: false,
    })
  }

  async post<Path extends string, Method extends string = 'POST'>(
    path: Path,
    form: Record<string, string> = {},
    method: Method = 'POST' as Method,
  ): Promise<PasskeyReply<ReplyAt<Method, Path>>> {
    const cookies = await this.context.cookies()
    const token = cookies.find(({ name }) => name === 'csrftoken')?.value
    const answer = await this.context.request.fetch(`/api/v1${path}`, {
      method,
      form,
      headers: token === undefined ? {} : { 'x-csrftoken': token },
    })
    return { status: answer.status(), body: await answer.json() }
  }

  /** Logs in by a page. */
  async logIn(email: string, password: string, code?: string): Promise<void> {
    await this.page.goto('/accounts/login?next=/accounts/security')
    await this.page.getByLabel('Email address').fill(email)
    await this.page.getByLabel('Password').fill(password)
    await this.page.getByRole('button', { name: 'Log in', exact: true }).click()
    if (code !== undefined) {
      await this.page.getByLabel('Code').fill(code)
      await this.page.getByRole('button', { name: 'Log in' }).click()
    }
    await this.page.getByRole('heading', { name: 'Account security' }).waitFor()
  }

  /** The device's answer to options for a new passkey, as JSON. */
  async answerEnrolment(options: object): Promise<string> {
    return this.#answer('Creation', 'create', options)
  }

  /** The device's answer to options for a log-in, as JSON. */
  async answerLogin(changes: object = {}): Promise<string> {
    const { body } = await this.post('/login/passkey/options')
    return this.#answer('Request', 'get', { ...body.options, ...changes })
  }

  async #answer(kind: 'Creation' | 'Request', method: 'create' | 'get', options: object): Promise<string> {
    const publicKey = `PublicKeyCredential.parse${kind}OptionsFromJSON(${JSON.stringify(options)})`
    return this.page.evaluate<string>(
      `navigator.credentials.${method}({ publicKey: ${publicKey} }).then((made) => JSON.stringify(made))`,
    )
  }

  /** Sends an answer for a log-in. */
  sendLogin(credential: string): Promise<PasskeyReply<ReplyAt<'POST', '/login/passkey'>>> {
    return this.post('/login/passkey', { credential })
  }
}

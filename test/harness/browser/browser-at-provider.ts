/** The browser of a person at a provider of log-ins: it follows redirects with the provider's cookies. */

/** Redirects of one log-in. */
const STEPS_MAX = 10

export class BrowserAtProvider {
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #cookies = new Map<string, string>()

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#url = url
    this.#headers = headers
  }

  /** Follows redirects at the provider until one leads to another server. */
  async followTo(start: string, elsewhere: string): Promise<URL> {
    let address = new URL(start)
    for (let step = 0; step < STEPS_MAX; step++) {
      if (address.origin === elsewhere) return address
      if (address.origin !== this.#url) throw new Error(`the provider redirects to ${address.href}`)
      const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(address, { redirect: 'manual', headers: { ...this.#headers, cookie } })
      for (const pair of response.headers.getSetCookie()) {
        const [text = ''] = pair.split(';')
        this.#cookies.set(text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1))
      }
      const location = response.headers.get('location')
      if (location === null)
        throw new Error(`the provider answers ${response.status}: ${await response.text()}`)
      await response.body?.cancel()
      address = new URL(location, address)
    }
    throw new Error('the provider redirects without end')
  }
}

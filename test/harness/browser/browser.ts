/** A browser for tests: it stores cookies, and sends them with the headers that a page of the server causes. */

import type { Named, Refusal, ReplyAt } from '../client/wire-types.ts'

/** An answer, with its text and, if it is JSON, its body. */
export interface BrowserAnswer<Reply = Named> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Reply & Refusal
}

/** A request of a page. */
export interface PageRequest {
  readonly fields?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** One browser; its cookies are those of one server. */
export class Browser {
  readonly url: string
  readonly cookies = new Map<string, string>()

  constructor(url: string, cookies: Iterable<readonly [string, string]> = []) {
    this.url = url
    for (const [name, value] of cookies) this.cookies.set(name, value)
  }

  /** The same cookies, sent to another process. */
  at(url: string): Browser {
    return new Browser(url, this.cookies)
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  get csrfToken(): string {
    return this.cookies.get('csrftoken') ?? this.cookies.get('__Host-csrftoken') ?? ''
  }

  /** A request without the token against cross-site requests, unless the headers have it. */
  async send<Method extends string, Path extends string>(
    method: Method,
    path: Path,
    { fields = {}, headers = {} }: PageRequest = {},
  ): Promise<BrowserAnswer<ReplyAt<Method, Path>>> {
    const encoded = new URLSearchParams(fields)
    const query = method === 'GET' && encoded.size > 0 ? `?${encoded.toString()}` : ''
    const response = await fetch(this.url + path + query, {
      method,
      redirect: 'manual',
      headers: { ...(this.cookies.size > 0 ? { cookie: this.cookieHeader } : {}), ...headers },
      ...(method === 'GET' ? {} : { body: encoded }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      if (/Max-Age=0(;|$)/.test(cookie)) this.cookies.delete(name)
      else this.cookies.set(name, pair.slice(name.length + 1))
    }
    const text = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json'
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    }
  }

  /** A request with the token, as a page of the server sends it. */
  call<Method extends string, Path extends string>(
    method: Method,
    path: Path,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<BrowserAnswer<ReplyAt<Method, Path>>> {
    return this.send(method, path, { fields, headers: { 'x-csrftoken': this.csrfToken } })
  }

  /** Logs in by the operation. */
  logIn(username: string, password: string): Promise<BrowserAnswer<ReplyAt<'POST', '/login'>>> {
    return this.send('POST', '/json/login', { fields: { username, password } })
  }
}

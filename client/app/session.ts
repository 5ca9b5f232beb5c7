/** The session of this browser: none, or the page of the person who is logged in. */

import { type ReadonlySignal, signal } from '@preact/signals'
import { ApiError, type ParleyClient } from '../../packages/client/src/index.ts'
import type { ReplyOf } from '../../packages/client/src/client.ts'
import { WakeableWait } from '../store/wakeable-wait.ts'
import { readRoute } from '../store/narrows/route.ts'
import { openApi } from './api.ts'
import { readCsrfToken } from './csrf-token.ts'
import { App, FACTOR_MISSING, type Follow } from './app.ts'
import { returnToPlace, storePlace } from './place-to-return.ts'

/** `former` is the page of a session that ended elsewhere: the texts that were being written are still in it. */
export type SessionPhase =
  | { readonly name: 'asking'; readonly problem: StartProblem | undefined }
  | {
      readonly name: 'out'
      readonly server: Server
      readonly former: App | undefined
    }
  /** Somebody without a log-in reads the public channels. */
  | {
      readonly name: 'visiting'
      readonly visitor: App
      readonly server: Server
      readonly former: App | undefined
    }
  | { readonly name: 'in'; readonly app: App }

/** The reason why a page waits: the server does not answer, or nobody has set up its organization. */
type StartProblem = 'away' | 'not set up'

type Server = ReplyOf<'GET /server_settings'>

const RETRY_MS = 2_000
/** A server may take a connection and never answer: after this time the page shows what the device has. */
const SILENCE_MS_MAX = 5_000

export class Session {
  readonly phase: ReadonlySignal<SessionPhase>
  readonly #phase = signal<SessionPhase>({ name: 'asking', problem: undefined })
  readonly #api: ParleyClient
  readonly #follow: Follow
  /** For the shown page. Somebody else may have logged in in another tab: then the server refuses its changes. */
  readonly #ownApi = openApi(
    () => this.#token ?? '',
    () => this.#checkToken(),
  )
  #token: string | undefined
  readonly #wait = new WakeableWait()
  #round = new AbortController()
  #visit = new AbortController()
  /** Whether a link to a conversation opens it for a visitor: not where somebody has just been logged in. */
  #mayVisitAtOnce = true

  constructor(api: ParleyClient, follow: Follow) {
    this.#api = api
    this.#follow = follow
    this.phase = this.#phase
  }

  /** The page that is shown, or that waits for its person to log in again. */
  get app(): App | undefined {
    const phase = this.#phase.value
    if (phase.name === 'in') return phase.app
    return phase.name === 'asking' ? undefined : phase.former
  }

  /** After a log-in here or in another tab. */
  ask(): void {
    this.#round.abort()
    this.#round = new AbortController()
    void this.#run(this.#round.signal)
  }

  /** After a log-out: nothing of the page stays, and another follows. */
  leave(): void {
    this.#round.abort()
    this.#phase.value = { name: 'asking', problem: undefined }
  }

  /** Shows the public channels without a log-in; rejects if the code for it does not come. */
  async visit(): Promise<void> {
    this.#mayVisitAtOnce = false
    const { openVisitor } = await import('./open-visitor.ts')
    const phase = this.#phase.peek()
    if (phase.name !== 'out') return
    const visitor = openVisitor()
    this.#visit = new AbortController()
    this.#phase.value = { ...phase, name: 'visiting', visitor }
    void this.#visitorUpdates(visitor, this.#visit.signal)
  }

  /** From a visit to the log-in, which leads back to the same place. */
  logIn(): void {
    const phase = this.#phase.peek()
    if (phase.name !== 'visiting') return
    storePlace()
    this.#endVisit(phase.server, phase.former)
  }

  #endVisit(server: Server, former: App | undefined): void {
    this.#visit.abort()
    this.#phase.value = { name: 'out', server, former }
  }

  /** Until the organization admits no visitors any more. */
  async #visitorUpdates(visitor: App, stop: AbortSignal): Promise<void> {
    await visitor.run(stop)
    const phase = this.#phase.peek()
    if (stop.aborted || phase.name !== 'visiting') return
    // The answer of the server is outdated.
    this.#endVisit({ ...phase.server, realm_web_public_access_enabled: false }, phase.former)
    this.ask()
  }

  /** Follows the session until nobody is logged in. */
  async #run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      try {
        const token = readCsrfToken()
        // Without the cookie of a session the answer is known, and browsers would list it as an error.
        if (token === '') return await this.#showLogIn(stop)
        const { userId, show } = await this.#findPerson(token)
        if (stop.aborted) return
        if (token !== readCsrfToken()) continue
        this.#token = token
        this.#visit.abort()
        this.#mayVisitAtOnce = false
        returnToPlace()
        const former = this.app
        const app = former?.ownId === userId ? former : new App(this.#ownApi, userId)
        show?.(app)
        this.#phase.value = { name: 'in', app }
        if ((await app.run(stop, this.#follow)) !== 'session ended') await this.#wait.wait(RETRY_MS, stop)
      } catch (error) {
        // Nothing works before a second factor is set up.
        if (error instanceof ApiError && error.code === FACTOR_MISSING)
          return location.assign('/accounts/security')
        let reason = error
        if (error instanceof ApiError && error.status === 401) {
          try {
            return await this.#showLogIn(stop)
          } catch (failure) {
            reason = failure
          }
        }
        this.#showProblem(problemOf(reason))
        await this.#wait.wait(RETRY_MS, stop)
      }
    }
  }

  /** The person of the session; if the server does not answer, the one whose copy this device shows instead. */
  async #findPerson(token: string): Promise<{ readonly userId: number; readonly show?: (app: App) => void }> {
    const answer = this.#api.call('GET /users/me').then(({ user_id: userId }) => ({ userId }))
    const silence = new Promise<undefined>((end) => setTimeout(end, SILENCE_MS_MAX))
    const found = await Promise.race([answer, silence]).catch(async (error: unknown) => {
      const isAnswer = error instanceof ApiError && error.retryAfterSeconds === undefined
      if (isAnswer) throw error
      return (await this.#openCopy(token)) ?? answer
    })
    if (found) return found
    const copy = await this.#openCopy(token)
    if (!copy) return this.#showProblem('away') ?? answer
    answer.catch(() => undefined) // The page asks again for all that it shows.
    return copy
  }

  /** A page that is shown needs no copy. */
  async #openCopy(token: string) {
    if (this.app) return undefined
    return import('./open-copy.ts').then(
      ({ openCopy }) => openCopy(token),
      () => undefined,
    )
  }

  #showProblem(problem: StartProblem): undefined {
    if (this.#phase.peek().name === 'asking') this.#phase.value = { name: 'asking', problem }
  }

  /**
   * Before each request: goes on with the token that a new password or API key of one's own gave the session, and starts
   * anew if somebody else has logged in.
   */
  #checkToken(): Promise<void> | undefined {
    const token = readCsrfToken()
    return this.#token === undefined || this.#token === token ? undefined : this.#followToken(token)
  }

  async #followToken(token: string): Promise<void> {
    const user = await this.#api.call('GET /users/me').catch(() => undefined)
    if (this.#token === undefined || token !== readCsrfToken()) return
    const isSame = user?.user_id === this.app?.ownId
    this.#token = isSame ? token : undefined
    if (!isSame) this.ask()
  }

  /** Shows the log-in, or the place that a visitor came for; rejects if the server does not answer. */
  async #showLogIn(stop: AbortSignal): Promise<void> {
    const server = await this.#api.call('GET /server_settings')
    if (stop.aborted) return
    const isOpen = server.realm_web_public_access_enabled
    if (isOpen && this.#phase.peek().name === 'visiting') return
    const mustWait = await import('./clear-local-data.ts')
      .then(({ settle }) => settle(this.app))
      .catch(() => true) // Its code does not come: the log-in must.
    if (stop.aborted) return
    this.#endVisit(server, mustWait ? this.app : undefined)
    if (isOpen && this.#mayVisitAtOnce && readRoute(location.hash)?.view === 'narrow')
      await this.visit().catch(() => undefined) // The log-in stays.
  }
}

/** Requests for an account and for the server have nothing else that could be wrong. */
function problemOf(error: unknown): StartProblem {
  return error instanceof ApiError && error.status === 400 ? 'not set up' : 'away'
}

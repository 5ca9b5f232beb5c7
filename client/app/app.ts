/** The parts of the page that live as long as the session: state, messages, outbox, and the current view. */

import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { ApiError, type ParleyClient } from '../../packages/client/src/index.ts'
import type { Event } from '../../packages/client/src/wire-types.ts'
import type { State } from '../store/apply.ts'
import { Live, type LiveOptions } from '../store/live.ts'
import { WindowLoader } from '../store/messages/load-window.ts'
import { openingAnchor } from '../store/messages/page-params.ts'
import { type Narrow, splitNear } from '../store/narrows/narrow.ts'
import { MessageStore } from '../store/messages/message-store.ts'
import { mutedPeople } from '../store/derived/muted-people.ts'
import { Typing } from '../store/derived/typing.ts'
import { usersById } from '../store/derived/users.ts'
import { Outbox } from '../store/outbox/outbox.ts'
import type { Drafts } from '../store/drafts/drafts.ts'
import { DeviceSettings } from './device-settings.ts'
import { MoveFollower } from './move-follower.ts'
import { OpenDialogs } from './open-dialogs.ts'
import { afterPaint } from './after-paint.ts'
import { endEarly } from './early-requests.ts'
import { newId } from './new-id.ts'
import { openDrafts } from './open-drafts.ts'
import { openOutboxStorage } from './outbox-storage.ts'
import { ViewHandles } from './view-handles.ts'
import { placeIn } from './place-in.ts'
import { Previews } from './previews.ts'
import { ReadMarker } from './read-marker.ts'
import { Router } from './router.ts'

const MINUTE_MS = 60_000
/** After this wait for the first messages the rest of the page is drawn without them. */
const OPENING_MS_MAX = 1_000

/** The differences of a visitor's page. */
interface VisitorOptions {
  readonly updates: LiveOptions['updates']
  readonly asked: (narrow: Narrow) => Narrow
}

/** Follows the page of a person until the signal aborts: the frame around it shows what the page does not. */
export type Follow = (app: App, stop: AbortSignal) => void

/** The code of the error for a session without the second factor that the organization requires. */
export const FACTOR_MISSING = 'SECOND_FACTOR_SETUP_REQUIRED'

/** One page of a person or of a visitor. */
export class App {
  readonly api: ParleyClient
  /** The user of the session. */
  readonly ownId: number
  /** Whether nobody is logged in: the page is read by a visitor. */
  readonly isVisitor: boolean
  /** The narrow that the server is asked for to show another one. */
  readonly asked: (narrow: Narrow) => Narrow
  readonly live: Live
  readonly messages: MessageStore
  readonly loader: WindowLoader
  readonly outbox: Outbox
  readonly router: Router
  readonly reader: ReadMarker
  readonly previews: Previews
  /** The newest message when the page registered first; undefined before. */
  startId: number | undefined
  readonly drafts: Drafts
  /** Forms that are not sent yet, by name. */
  readonly forms = new Map<string, Map<string, Signal<unknown>>>()
  readonly device = new DeviceSettings()
  readonly dialogs = new OpenDialogs()
  readonly handles = new ViewHandles()
  /** Follows conversations that move. */
  readonly moves: MoveFollower
  readonly #parts = new Map<new (app: App) => object, object>()
  readonly typing = new Typing(Date.now)
  /** Milliseconds, at each minute: for times that are shown in words. */
  readonly minute: ReadonlySignal<number>
  readonly #minute = signal(Date.now())
  /** Whether the first view is painted, or takes long. */
  readonly hasOpened: ReadonlySignal<boolean>
  readonly #hasOpened = signal(false)
  #isOpening = false
  #typingTimer: ReturnType<typeof setTimeout> | undefined

  constructor(api: ParleyClient, userId: number, visitor?: VisitorOptions) {
    this.api = api
    this.ownId = userId
    this.isVisitor = visitor !== undefined
    this.asked = visitor?.asked ?? ((narrow) => narrow)
    this.live = new Live({
      updates: visitor?.updates ?? ((options) => api.updates(options)),
      nowMs: Date.now,
      isForVisitor: this.isVisitor,
    })
    this.messages = new MessageStore(() => this.live.state.peek()?.user_id ?? userId)
    this.loader = new WindowLoader(
      this.messages,
      (params) => api.call('GET /messages', params),
      this.asked,
      () => userId,
    )
    this.outbox = new Outbox({
      storage: openOutboxStorage(userId),
      send: (params) => api.call('POST /messages', params),
      queueId: () => this.live.state.peek()?.queue_id ?? undefined,
      nowMs: Date.now,
      newId,
    })
    this.router = new Router(
      () => this.live.state.peek(),
      () => placeIn(this.handles),
    )
    this.reader = new ReadMarker(api)
    this.previews = new Previews(api)
    const state = () => this.live.state.peek()
    this.drafts = openDrafts(userId, api, state)
    this.moves = new MoveFollower(this)
    this.minute = this.#minute
    this.hasOpened = this.#hasOpened
  }

  /** The state, which views see only after the first registration. */
  readonly state: ReadonlySignal<State> = computed(() => {
    const state = this.live.state.value
    if (!state) throw new Error('a view is shown before the state is there')
    return state
  })

  /** Parts of the state that each message shows: rows are drawn again only when these change. */
  readonly users = computed(() => usersById(this.state.value))
  readonly statuses = computed(() => this.state.value.user_status)
  readonly customEmoji = computed(() => this.state.value.realm_emoji)
  readonly marksGuests = computed(() => this.state.value.realm_enable_guest_user_indicator !== false)
  readonly muted = computed(() => mutedPeople(this.state.value))

  /** State that lives as long as the page, of a class whose code may come late: made when it is first asked for. */
  part<Part extends object>(type: new (app: App) => Part): Part {
    const made = (this.#parts.get(type) as Part | undefined) ?? new type(this)
    this.#parts.set(type, made)
    return made
  }

  /** Follows the server until the signal aborts, the session ends, or the server refuses for another reason. */
  async run(stopped: AbortSignal, follow?: Follow): Promise<'stopped' | 'session ended' | 'refused'> {
    const ended = new AbortController()
    const stop = ended.signal
    stopped.addEventListener('abort', () => ended.abort(), { once: true, signal: stop })
    const options = { signal: stop }
    const clock = setInterval(() => (this.#minute.value = Date.now()), MINUTE_MS)
    addEventListener('online', () => this.live.retryNow(), options)
    document.addEventListener('visibilitychange', () => document.hidden || this.live.retryNow(), options)
    const unfollow = this.isVisitor ? this.#beginAsVisitor() : this.#begin(stop, follow)
    this.router.follow(stop)
    try {
      await this.live.run(stop)
    } finally {
      ended.abort()
      unfollow()
      clearInterval(clock)
    }
    if (stopped.aborted) return 'stopped'
    const status = this.live.status.peek()
    return status.phase === 'refused' && isOfSession(status.error) ? 'session ended' : 'refused'
  }

  /** Reads everything again after each registration: visitors get no events. */
  #beginAsVisitor(): () => void {
    this.#hasOpened.value = true
    return this.live.listen(() => {
      this.messages.markStale()
      this.router.resolve()
    })
  }

  /** Everything that belongs to an account; returns the function that ends it. */
  #begin(stop: AbortSignal, follow: Follow | undefined): () => void {
    follow?.(this, stop)
    const unlisten = this.live.listen((update) => {
      if (update.kind === 'registered') {
        this.startId ??= update.state.max_message_id
        this.messages.markStale()
        this.outbox.noteAll(update.state.max_message_id ?? 0)
        this.drafts.retryNow()
        this.drafts.take(update.state.drafts ?? [], true)
        this.router.resolve()
        this.#openFirst()
        return
      }
      const follow = this.moves.take(update.event)
      this.messages.apply(update.event)
      follow?.()
      this.previews.apply(update.event)
      if ('message_ids' in update.event && update.event.type === 'delete_message')
        this.reader.forget(update.event.message_ids)
      this.#noteTyping(update.event)
      this.outbox.note(update.event)
      if (update.event.type === 'drafts') this.drafts.take(this.live.state.peek()?.drafts ?? [], false)
    })
    const options = { signal: stop }
    addEventListener('online', () => this.outbox.retryNow(), options)
    addEventListener('pagehide', () => void this.reader.flush(), options)
    addEventListener('beforeunload', (event) => this.#warn(event), options)
    const unfollow = effect(() => {
      if (this.live.status.value.phase !== 'connected') return
      this.outbox.retryNow()
      void this.reader.flush()
    })
    void this.outbox.run(stop)
    void this.drafts.run(stop)
    return () => {
      unlisten()
      unfollow()
    }
  }

  /** Shows a copy of the state until the server answers; the view is drawn at once. */
  showCopy(state: State, atMs: number): void {
    this.#isOpening = true
    this.live.begin(state, atMs)
    this.#hasOpened.value = true
    this.router.resolve()
    this.router.openHome()
  }

  /** Loads the first conversation before the first event: an early page would not have what came in between. */
  #openFirst(): void {
    if (this.#isOpening) return
    this.#isOpening = true
    const opened = () => (this.#hasOpened.value = true)
    const route = this.router.route.peek()
    if (route.view === 'narrow') {
      const { narrow, nearId, linkedId } = splitNear(route.narrow)
      void this.loader
        .open(narrow, openingAnchor(narrow, nearId), linkedId)
        .catch(() => undefined) // The list asks again, and says why it has no messages.
        .then(() => afterPaint(opened))
      setTimeout(opened, OPENING_MS_MAX)
    } else opened()
    endEarly()
  }

  /** A browser without a working database would lose what is not sent yet. */
  #warn(event: BeforeUnloadEvent): void {
    const isWaiting = this.outbox.entries.peek().some(({ phase }) => phase.name !== 'sent')
    if (isWaiting && !this.outbox.isDurable.peek()) event.preventDefault()
  }

  #noteTyping(event: Event): void {
    this.typing.apply(event, this.live.state.peek()?.server_typing_started_expiry_period_milliseconds)
    clearTimeout(this.#typingTimer)
    const expire = () => {
      const nextMs = this.typing.expire()
      if (nextMs !== undefined) this.#typingTimer = setTimeout(expire, nextMs - Date.now())
    }
    expire()
  }
}

const Context = createContext<App | undefined>(undefined)

export const AppProvider = Context.Provider

/** The page that a view is part of. */
export function useApp(): App {
  const app = useContext(Context)
  if (!app) throw new Error('a view is outside of the page')
  return app
}

/** The state; the view is drawn again when it changes. */
export function useState(): State {
  return useApp().state.value
}

/** Whether the session has ended or lacks a second factor, or the browser has another one. */
function isOfSession(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 401 || ['CSRF_FAILED', FACTOR_MISSING].includes(error.code ?? ''))
  )
}

/** Keeps a copy of the state and of the last conversations on this device, for times without a connection. */

import { effect } from '@preact/signals'
import type { MessageWindow } from '../store/messages/message-window.ts'
import { isSearch } from '../store/narrows/is-search.ts'
import { keyOf, splitNear } from '../store/narrows/narrow.ts'
import type { App } from './app.ts'
import { ABOUT, BUILD, type Conversation, type Part, TOKEN_KEY } from './copy-parts.ts'
import { DeviceStore } from './device-store.ts'

/** The conversations that were shown last, with some screens each: about 3 MB. */
const CONVERSATIONS_MAX = 20
const MESSAGES_MAX = 50
/** Changes of this time are stored together. */
const GATHER_MS = 1_000

/** Keeps the copy up to date until the signal aborts. `token` is that of the session. */
export function keepCopy(app: App, token: string, stop: AbortSignal): void {
  const keeper = new Keeper(app)
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = () => {
    clearTimeout(timer)
    timer = undefined
    if (!stop.aborted) void keeper.save()
  }
  const dispose = effect(() => {
    const route = app.router.route.value
    if (route.view === 'narrow') void app.messages.window(splitNear(route.narrow).narrow).value
    void [app.live.state.value, app.live.status.value, app.minute.value]
    timer ??= setTimeout(save, GATHER_MS)
  })
  document.addEventListener('visibilitychange', () => document.hidden && save(), { signal: stop })
  const unlisten = app.live.listen((update) => {
    if (update.kind === 'event' && update.event.type === 'delete_message') keeper.forgetOthers()
  })
  stop.addEventListener('abort', () => {
    clearTimeout(timer)
    dispose()
    unlisten()
  })
  try {
    localStorage.setItem(TOKEN_KEY + app.ownId, token)
  } catch {
    // The browser refuses storage: there will be no copy.
  }
}

class Keeper {
  readonly #app: App
  readonly #store: DeviceStore<Part>
  /** The values of the store by key, those of earlier pages without their value. */
  readonly #stored = new Map<string, unknown>()
  #conversations: readonly string[] = []
  #saving: Promise<void>
  /** Whether the store fails: a log-out has deleted it, or the browser has none. */
  #isOver = false

  constructor(app: App) {
    this.#app = app
    this.#store = new DeviceStore<Part>(app.ownId, 'reading')
    this.#saving = this.#begin().catch(() => void (this.#isOver = true))
  }

  /** Stores what has changed. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#save()).catch(() => void (this.#isOver = true))
    return this.#saving
  }

  /** A deleted message may be in conversations that this page has not loaded. */
  forgetOthers(): void {
    const loaded = new Set(this.#seen().map(({ narrow }) => keyOf(narrow)))
    this.#conversations = this.#conversations.filter((key) => loaded.has(key))
  }

  /** Takes over what earlier pages of the same build have stored. */
  async #begin(): Promise<void> {
    const [about, keys] = await Promise.all([this.#store.get(ABOUT), this.#store.keys()])
    for (const key of keys) this.#stored.set(key, undefined)
    if (about?.kind === 'about' && about.build === BUILD) this.#conversations = about.conversations
  }

  async #save(): Promise<void> {
    const { live } = this.#app
    const state = live.state.peek()
    // Without a connection the copy holds as it is.
    if (this.#isOver || !state || live.status.peek().phase !== 'connected') return
    const parts = new Map<string, { readonly of: unknown; readonly part: Part }>()
    for (const [name, value] of Object.entries({ ...state, queue_id: null }))
      parts.set(`state ${name}`, { of: value, part: { kind: 'state', name, value } })
    const seen = this.#seen()
    for (const window of seen) parts.set(keyOf(window.narrow), { of: window, part: conversationOf(window) })
    const seenKeys = seen.map(({ narrow }) => keyOf(narrow))
    const others = this.#conversations.filter((key) => !seenKeys.includes(key) && this.#stored.has(key))
    this.#conversations = [...others, ...seenKeys].slice(-CONVERSATIONS_MAX)
    await this.#write(parts)
  }

  async #write(parts: ReadonlyMap<string, { readonly of: unknown; readonly part: Part }>): Promise<void> {
    const conversations = this.#conversations
    const changes = new Map<string, Part | undefined>()
    for (const [key, { of, part }] of parts)
      if (this.#stored.get(key) !== of || !this.#stored.has(key)) changes.set(key, part)
    const kept = new Set([ABOUT, ...conversations, ...parts.keys()])
    for (const key of this.#stored.keys()) if (!kept.has(key)) changes.set(key, undefined)
    changes.set(ABOUT, { kind: 'about', build: BUILD, atMs: Date.now(), conversations })
    await this.#store.change(changes)
    for (const [key, part] of changes) {
      if (part === undefined) this.#stored.delete(key)
      else this.#stored.set(key, parts.get(key)?.of)
    }
  }

  /** The conversations of this page that the copy has. */
  #seen(): readonly MessageWindow[] {
    return this.#app.messages
      .seen()
      .filter(({ narrow }) => !isSearch(narrow))
      .slice(-CONVERSATIONS_MAX)
  }
}

function conversationOf({ narrow, messages, hasOldest, hasNewest }: MessageWindow): Conversation {
  const newest = messages.slice(-MESSAGES_MAX)
  const isWhole = newest.length === messages.length
  return { kind: 'conversation', narrow, messages: newest, hasOldest: hasOldest && isWhole, hasNewest }
}

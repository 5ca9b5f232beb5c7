/** The emoji of Unicode, loaded when first needed, and those that a person used last on this device. */

import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { App } from './app.ts'
import { deviceSetting } from './device-setting.ts'
import type { State } from '../store/apply.ts'
import { customEmoji, type Emoji, joinEmoji } from '../store/emoji/emoji.ts'
import type { EmojiGroup } from '../store/emoji/emoji-groups.ts'
import { readSkinTone, type SkinTone } from '../store/emoji/skin-tone.ts'

/** Two rows of the picker. */
const RECENT_MAX = 16

export class EmojiTable {
  /** Empty until they are loaded. */
  readonly groups: ReadonlySignal<readonly EmojiGroup[]>
  /** Names, the last used first. */
  readonly recent: ReadonlySignal<readonly string[]>
  /** The chosen skin tone, which this device keeps. */
  readonly tone: Signal<SkinTone>
  readonly #groups = signal<readonly EmojiGroup[]>([])
  readonly #recent = signal<readonly string[]>([])
  readonly #storageKey: string
  #loading: Promise<void> | undefined

  constructor({ ownId: userId }: App) {
    this.#storageKey = `parley-recent-emoji-${userId}`
    this.tone = deviceSetting<SkinTone>(`emoji-tone-${userId}`, { start: '', read: readSkinTone })
    this.groups = this.#groups
    this.recent = this.#recent
    this.#recent.value = readNames(localStorage.getItem(this.#storageKey))
  }

  /** All emoji that are loaded, those of the organization first. */
  all(state: State): readonly Emoji[] {
    return joinEmoji(
      customEmoji(state),
      this.#groups.value.flatMap(({ emoji }) => emoji),
    )
  }

  /** Loads the names of the server; another call after a failure tries again. */
  load(state: State): Promise<void> {
    this.#loading ??= this.#fetch(state).catch((error: unknown) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  /** Puts an emoji first among the recent ones. */
  noteUse(name: string): void {
    this.#recent.value = [name, ...this.#recent.peek().filter((one) => one !== name)].slice(0, RECENT_MAX)
    try {
      localStorage.setItem(this.#storageKey, JSON.stringify(this.#recent.peek()))
    } catch {
      // A full or forbidden storage only forgets the recent ones with the page.
    }
  }

  async #fetch(state: State): Promise<void> {
    // The server may have several addresses; the page asks only its own.
    const { pathname } = new URL(state.server_emoji_data_url ?? '/static/emoji/names.json', location.href)
    const [response, { groupEmoji }] = await Promise.all([
      fetch(pathname),
      import('../store/emoji/emoji-groups.ts'),
    ])
    if (!response.ok) throw new Error(`the names of emoji have status ${response.status}`)
    const { code_to_names } = (await response.json()) as {
      readonly code_to_names: Readonly<Record<string, readonly string[]>>
    }
    this.#groups.value = groupEmoji(code_to_names)
  }
}

function readNames(stored: string | null): readonly string[] {
  try {
    const names: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}

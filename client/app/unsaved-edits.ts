/** Texts of edits that are not saved yet, on this device: they survive a closed page. */

/** Edits that are kept, the newest: people seldom leave more than one. */
const EDITS_MAX = 20

type Edit = readonly [messageId: number, text: string]

/** The edits of one user. */
export class UnsavedEdits {
  readonly #key: string
  /** The newest is last. */
  #edits: readonly Edit[]
  #isStored = true

  constructor({ ownId }: { readonly ownId: number }) {
    this.#key = `parley-edits-${ownId}`
    this.#edits = read(this.#key)
  }

  find(messageId: number): string | undefined {
    return this.#edits.find(([id]) => id === messageId)?.[1]
  }

  /** The message that was edited last. */
  newestId(): number | undefined {
    return this.#edits.at(-1)?.[0]
  }

  set(messageId: number, text: string): void {
    this.#store([...this.#others(messageId), [messageId, text] as const].slice(-EDITS_MAX))
  }

  remove(messageId: number): void {
    this.#store(this.#others(messageId))
  }

  #others(messageId: number): readonly Edit[] {
    // Another tab may have stored or removed some meanwhile.
    if (this.#isStored) this.#edits = read(this.#key)
    return this.#edits.filter(([id]) => id !== messageId)
  }

  #store(edits: readonly Edit[]): void {
    this.#edits = edits
    try {
      localStorage.setItem(this.#key, JSON.stringify(edits))
      this.#isStored = true
    } catch {
      this.#isStored = false
      // The browser refuses storage, or it is full: the edits last as long as the page.
    }
  }
}

function read(key: string): readonly Edit[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isEdit) : []
  } catch {
    return [] // The browser refuses storage, or something else was stored.
  }
}

function isEdit(value: unknown): value is Edit {
  return Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'string'
}

/** Whether the next view was asked for by a shortcut: then keys go on being shortcuts, and no field takes the focus. */
export class KeyboardMove {
  #isAsked = false
  #isShown = false

  note(): void {
    this.#isAsked = true
  }

  /** Once true after a note. */
  take(): boolean {
    this.#isShown = this.#isAsked
    this.#isAsked = false
    return this.#isShown
  }

  /** Whether the current view was asked for by a shortcut. */
  get isShown(): boolean {
    return this.#isShown
  }
}

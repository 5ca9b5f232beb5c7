/** Reads tags that may not nest, by the rules of the reference's HTML parser. */

import { endsAtStart, rankOf } from './html-elements.ts'

/** Receives tags that nest. */
export interface TagSink {
  start(name: string, html: string): void
  /** For the last started element that has not ended. */
  end(name: string): void
  addVoid(name: string, html: string): void
  addText(html: string): void
}

/** Adds missing end tags, and drops those without a start. */
export class TagReader {
  readonly #sink: TagSink
  readonly #open: string[] = []

  constructor(sink: TagSink) {
    this.#sink = sink
  }

  start(name: string, html: string): void {
    this.#endFor(name)
    this.#open.push(name)
    this.#sink.start(name, html)
  }

  end(name: string): void {
    const rank = rankOf(name)
    for (let index = this.#open.length - 1; index >= 0; index--) {
      const open = this.#open[index] as string
      if (open === name) return this.#endFrom(index)
      if (rankOf(open) > rank) return
    }
  }

  addVoid(name: string, html: string): void {
    this.#endFor(name)
    this.#sink.addVoid(name, html)
  }

  addText(html: string): void {
    if (html !== '') this.#sink.addText(html)
  }

  /** Ends all open elements. */
  endAll(): void {
    this.#endFrom(0)
  }

  #endFor(name: string): void {
    let index = this.#open.length
    while (index > 0 && endsAtStart(this.#open[index - 1] as string, name)) index--
    this.#endFrom(index)
  }

  #endFrom(index: number): void {
    while (this.#open.length > index) this.#sink.end(this.#open.pop() as string)
  }
}

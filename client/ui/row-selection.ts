/** The selection of messages and lines by the keyboard: the focus is on the selected one. */

import type { App } from '../app/app.ts'

/** Messages have an id, lines of lists none. */
const ROWS = '[data-id], [data-row]'

export class RowSelection {
  readonly #app: App
  #last: HTMLElement | undefined

  constructor(app: App) {
    this.#app = app
  }

  /** The id of the selected message; without one, that of the last message that was selected here. */
  messageId(): number | undefined {
    const row = focusedRow() ?? this.#last
    return row?.isConnected && row.dataset.id !== undefined ? Number(row.dataset.id) : undefined
  }

  /** Selects the row below or above. Without a selection it begins at what is on the screen. */
  move(step: 1 | -1): void {
    const rows = this.#rows()
    const from = focusedRow() ?? (this.#last && isVisible(this.#last) ? this.#last : undefined)
    const index = from ? rows.indexOf(from) : -1
    this.#select(index >= 0 ? rows[index + step] : step > 0 ? rows.find(isVisible) : rows.findLast(isVisible))
  }

  /** The last selected row, or the newest on the screen. */
  resume(): void {
    if (this.#last && isVisible(this.#last)) this.#select(this.#last)
    else this.#select(this.#rows().findLast(isVisible))
  }

  #rows(): HTMLElement[] {
    return [...(this.#app.handles.main?.querySelectorAll<HTMLElement>(ROWS) ?? [])]
  }

  #select(row: HTMLElement | undefined): void {
    if (!row) return
    // Messages are no stops of the Tab key: there are too many.
    if (row.tabIndex < 0) row.tabIndex = -1
    const text = row.querySelector('.rendered')
    if (text) {
      // Screen readers read the text after the name of the sender.
      text.id = `text-of-${row.id}`
      row.setAttribute('aria-describedby', text.id)
    }
    this.#last = row
    row.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  }
}

/** The row that has the focus, or has it inside. */
function focusedRow(): HTMLElement | undefined {
  return document.activeElement?.closest<HTMLElement>(ROWS) ?? undefined
}

function isVisible(row: HTMLElement): boolean {
  if (!row.isConnected) return false
  const box = row.getBoundingClientRect()
  const list = row.closest('[data-rows]')?.getBoundingClientRect()
  return list !== undefined && box.bottom > list.top + 1 && box.top < list.bottom - 1
}

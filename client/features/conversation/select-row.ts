/** The selection of messages and lines by the keyboard: the focus is on the selected one. */

const ROWS = '.main [data-id], .main [data-row]'

let lastSelected: HTMLElement | undefined

/** The row that has the focus, or has it inside. */
function selectedRow(): HTMLElement | undefined {
  return document.activeElement?.closest<HTMLElement>(ROWS) ?? undefined
}

/** The id of the selected message; without one, that of the last message that was selected here. */
export function selectedMessageId(): number | undefined {
  const row = selectedRow() ?? lastSelected
  return row?.isConnected && row.dataset.id !== undefined ? Number(row.dataset.id) : undefined
}

/** Selects the row below or above. Without a selection it begins at what is on the screen. */
export function moveSelection(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)]
  const from = selectedRow() ?? (lastSelected && isVisible(lastSelected) ? lastSelected : undefined)
  const index = from ? rows.indexOf(from) : -1
  select(index >= 0 ? rows[index + step] : step > 0 ? rows.find(isVisible) : rows.findLast(isVisible))
}

/** Leaves the composer: to the last selected message, or the newest on the screen. */
export function returnToRows(): void {
  if (lastSelected && isVisible(lastSelected)) select(lastSelected)
  else select([...document.querySelectorAll<HTMLElement>(ROWS)].findLast(isVisible))
}

function select(row: HTMLElement | undefined): void {
  if (!row) return
  // Messages are no stops of the Tab key: there are too many.
  if (row.tabIndex < 0) row.tabIndex = -1
  const text = row.querySelector('.rendered')
  if (text) {
    // Screen readers read the text after the name of the sender.
    text.id = `text-of-${row.id}`
    row.setAttribute('aria-describedby', text.id)
  }
  lastSelected = row
  row.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
}

function isVisible(row: HTMLElement): boolean {
  if (!row.isConnected) return false
  const box = row.getBoundingClientRect()
  const list = row.closest('.list, .inbox')?.getBoundingClientRect()
  return list !== undefined && box.bottom > list.top + 1 && box.top < list.bottom - 1
}

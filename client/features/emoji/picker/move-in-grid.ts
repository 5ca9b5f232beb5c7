/** Arrows in rows of cells, in groups that each begin a row. */

/** Cells in a row, as the styles have them. */
const COLUMNS = 8

/** The place after a key, or undefined if the key does not move. */
export function moveInGrid(key: string, sizes: readonly number[], place: number): number | undefined {
  const count = sizes.reduce((sum, size) => sum + size, 0)
  if (count === 0) return undefined
  switch (key) {
    case 'ArrowRight':
      return Math.min(count - 1, place + 1)
    case 'ArrowLeft':
      return Math.max(0, place - 1)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    case 'ArrowDown':
    case 'ArrowUp':
      return moveByRow(sizes, place, key === 'ArrowDown' ? 1 : -1)
    default:
      return undefined
  }
}

/** The same column in the next row, or the last cell of a shorter one. */
function moveByRow(sizes: readonly number[], place: number, step: 1 | -1): number {
  const rows: number[][] = []
  let start = 0
  for (const size of sizes) {
    for (let at = 0; at < size; at += COLUMNS)
      rows.push(Array.from({ length: Math.min(COLUMNS, size - at) }, (_, column) => start + at + column))
    start += size
  }
  const row = rows.findIndex((cells) => cells.includes(place))
  const column = rows[row]?.indexOf(place) ?? 0
  const next = rows[row + step]
  return next?.[Math.min(column, next.length - 1)] ?? place
}

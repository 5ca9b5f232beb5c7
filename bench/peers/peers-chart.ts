/** Draws the comparison with other servers as bars: a group for each number of people, a column for each kind of work. */

import { CHART_THEME } from '../measure/chart-theme.ts'
import type { PeerFigures } from './run-peers.ts'

interface Column {
  readonly title: string
  readonly better: string
  readonly of: (figures: PeerFigures) => number
  readonly format: (value: number) => string
}

const ms = (value: number) => `${value.toFixed(1)} ms`
const COLUMNS: readonly Column[] = [
  { title: 'Acknowledged', better: 'median, less is better', of: ({ ackP50 }) => ackP50, format: ms },
  {
    title: 'The last of them has it',
    better: 'median, less is better',
    of: ({ lastP50 }) => lastP50,
    format: ms,
  },
  {
    title: 'Messages a second, to 50',
    better: 'more is better',
    of: ({ floodPerSecond }) => floodPerSecond,
    format: (value) => Math.round(value).toLocaleString('en'),
  },
]

/** Pixels. */
const LAYOUT = { names: 190, column: 200, bar: 130, top: 56, group: 28, row: 24, bottom: 12 }
const STYLE = `${CHART_THEME}
  .bar { fill: var(--soft) } .ours { fill: var(--ours) } .value, .name { fill: var(--ink) }`

/** The bars of a column have one scale, which begins at 0. */
export function drawPeers(figures: readonly PeerFigures[]): string {
  const groups = [...new Set(figures.map(({ people }) => people))].toSorted((one, other) => other - one)
  const width = LAYOUT.names + COLUMNS.length * LAYOUT.column
  const parts: string[] = COLUMNS.map(
    ({ title, better }, index) =>
      `<text class="title" x="${left(index)}" y="22">${title}</text><text x="${left(index)}" y="39">${better}</text>`,
  )
  let y = LAYOUT.top
  for (const people of groups) {
    parts.push(`<text class="title" x="12" y="${y + 18}">${people.toLocaleString('en')} people</text>`)
    y += LAYOUT.group
    for (const one of figures.filter((figure) => figure.people === people)) {
      parts.push(drawRow(one, figures, y))
      y += LAYOUT.row
    }
  }
  const height = y + LAYOUT.bottom
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>${describe(figures)}</title>
<style>${STYLE}
</style>
<rect class="paper" width="${width}" height="${height}"/>
${parts.join('\n')}
</svg>
`
}

const left = (column: number) => LAYOUT.names + column * LAYOUT.column

function drawRow(one: PeerFigures, all: readonly PeerFigures[], y: number): string {
  const bars = COLUMNS.map(({ of, format }, index) => {
    const length = Math.max(1, Math.round((LAYOUT.bar * of(one)) / Math.max(...all.map(of))))
    return (
      `<rect class="${isOurs(one) ? 'ours' : 'bar'}" x="${left(index)}" y="${y + 4}" width="${length}" height="14" rx="2"/>` +
      `<text class="value" x="${left(index) + length + 6}" y="${y + 15}">${format(of(one))}</text>`
    )
  })
  return `<text class="name" x="12" y="${y + 15}">${nameOf(one)}</text>${bars.join('')}`
}

const isOurs = ({ name }: PeerFigures) => name === 'Parley'
const nameOf = ({ name, version }: PeerFigures) => `${name} ${version}`

/** All of it in words, for readers who do not see it. */
function describe(figures: readonly PeerFigures[]): string {
  const rows = figures.map((one) => {
    const values = COLUMNS.map(({ title, of, format }) => `${title.toLowerCase()} ${format(of(one))}`)
    return `${nameOf(one)}, ${one.people.toLocaleString('en')} people: ${values.join(', ')}`
  })
  return rows.join('; ')
}

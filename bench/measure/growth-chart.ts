/** Draws how costs grow with a size. */

import { CHART_THEME } from './chart-theme.ts'

/** The cost of one kind of work at several sizes, in rising order. */
export interface GrowthSeries {
  readonly work: string
  /** The quantity that grows. */
  readonly axis: string
  readonly unit: string
  readonly points: readonly Point[]
}

interface Point {
  readonly size: number
  readonly cost: number
}

const PANEL = { width: 400, height: 200, left: 58, right: 26, top: 40, bottom: 30 }
const STYLE = `${CHART_THEME}
  .grid { stroke: var(--grid) } .line { stroke: var(--soft); stroke-dasharray: 5 4; fill: none }
  .ours { stroke: var(--ours); stroke-width: 2; fill: none } .point { fill: var(--ours) } .value { fill: var(--ink) }`

/**
 * The straight line through the first two points. It does not fall: work that costs the same everywhere may be measured
 * as a little less at the second size.
 */
export function lineThrough(points: readonly Point[]): (size: number) => number {
  const [first, second] = points
  if (!first || !second) throw new Error('a line needs two points')
  const slope = Math.max(0, (second.cost - first.cost) / (second.size - first.size))
  return (size) => first.cost + slope * (size - first.size)
}

/** One panel for each series, in columns by axis; both scales are logarithmic. */
export function drawGrowth(series: readonly GrowthSeries[]): string {
  const axes = [...new Set(series.map(({ axis }) => axis))]
  const works = [...new Set(series.map(({ work }) => work))]
  const [width, height] = [axes.length * PANEL.width, works.length * PANEL.height]
  const panels = series.map((one) => {
    const [x, y] = [axes.indexOf(one.axis) * PANEL.width, works.indexOf(one.work) * PANEL.height]
    return `<g transform="translate(${x} ${y})">${drawPanel(one)}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>The cost of ${works.join(', ')} at each size, and the straight line through the first two sizes</title>
<style>${STYLE}
</style>
<rect class="paper" width="${width}" height="${height}"/>
${panels.join('\n')}
</svg>
`
}

function drawPanel({ work, axis, unit, points }: GrowthSeries): string {
  const line = lineThrough(points)
  const costs = points.flatMap(({ size, cost }) => [cost, line(size)])
  const [low, high] = [decadeBelow(Math.min(...costs)), decadeAbove(Math.max(...costs))]
  const sizes = points.map(({ size }) => size)
  const x = scale(Math.min(...sizes), Math.max(...sizes), PANEL.left, PANEL.width - PANEL.right)
  const y = scale(low, high, PANEL.height - PANEL.bottom, PANEL.top)
  const path = (of: (point: Point) => number) =>
    points.map((point, index) => `${index === 0 ? 'M' : 'L'}${x(point.size)} ${y(of(point))}`).join('')
  const [left, right] = [PANEL.left, PANEL.width - PANEL.right]
  const grid = decadesBetween(low, high).map(
    (cost) =>
      `<path class="grid" d="M${left} ${y(cost)}H${right}"/>` +
      `<text x="${left - 6}" y="${y(cost) + 4}" text-anchor="end">${format(cost)}</text>`,
  )
  const marks = points.map(
    (point) =>
      `<circle class="point" cx="${x(point.size)}" cy="${y(point.cost)}" r="3.5"/>` +
      `<text class="value" x="${x(point.size)}" y="${y(point.cost) - 8}" text-anchor="middle">${format(point.cost)}</text>` +
      `<text x="${x(point.size)}" y="${PANEL.height - 12}" text-anchor="middle">${format(point.size)}</text>`,
  )
  return [
    `<text class="title" x="${left}" y="20">${work}, ${unit}, by ${axis}</text>`,
    ...grid,
    `<path class="line" d="${straight(points, line, x, y)}"/>`,
    `<path class="ours" d="${path(({ cost }) => cost)}"/>`,
    ...marks,
  ].join('')
}

/** A straight line is bent on logarithmic scales. */
function straight(
  points: readonly Point[],
  line: (size: number) => number,
  x: (size: number) => number,
  y: (cost: number) => number,
): string {
  const [first, last] = [points[0]?.size ?? 1, points.at(-1)?.size ?? 1]
  const steps = 40
  return Array.from({ length: steps + 1 }, (_, step) => {
    const size = first * (last / first) ** (step / steps)
    return `${step === 0 ? 'M' : 'L'}${x(size)} ${y(line(size))}`
  }).join('')
}

/** A logarithmic scale, in whole tenths of a pixel. */
function scale(low: number, high: number, from: number, to: number): (value: number) => number {
  const range = Math.log(high / low) || 1
  return (value) => Math.round(10 * (from + ((to - from) * Math.log(value / low)) / range)) / 10
}

const decadeBelow = (value: number) => 10 ** Math.floor(Math.log10(value))
const decadeAbove = (value: number) => 10 ** Math.ceil(Math.log10(value * 1.01))

function decadesBetween(low: number, high: number): number[] {
  const count = Math.round(Math.log10(high / low))
  return Array.from({ length: count + 1 }, (_, index) => low * 10 ** index)
}

function format(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(value >= 100 ? 3 : 2)))
}

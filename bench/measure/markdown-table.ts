/** The results as a table for readers. */

import type { Figure, Summary } from './figure.ts'
import type { Result, Results } from './result.ts'
import { formatNumber } from './table.ts'

const HEADINGS = ['Work', 'Ours', 'Limit', 'Ratio', 'Target', 'Reached']

/** A line for each machine and commit, then the table. Works of which an answer was wrong say so. */
export function formatMarkdown(results: Results): string {
  const rows = Object.entries(results).flatMap(([name, result]) => formatResult(name, result))
  const table = [HEADINGS, HEADINGS.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  const times = formatTimes(results)
  return [...formatRuns(results), '', ...(times === '' ? [] : [times, '']), ...table].join('\n')
}

/** How long each took, the longest first; the sum only if each of a plain run was timed. */
function formatTimes(results: Results): string {
  const timed = Object.entries(results).flatMap(([name, { seconds, isLong = false }]) =>
    seconds === undefined ? [] : [{ name, seconds, isLong }],
  )
  const list = (isLong: boolean) =>
    timed
      .filter((one) => one.isLong === isLong)
      .toSorted((one, other) => other.seconds - one.seconds)
      .map(({ name, seconds }) => `${name} ${Math.round(seconds)} s`)
      .join(', ')
  const isWhole = Object.values(results).every(({ seconds, isLong }) => isLong || seconds !== undefined)
  const plain = timed.filter(({ isLong }) => !isLong).reduce((sum, { seconds }) => sum + seconds, 0)
  return [
    isWhole ? `A plain run takes ${(plain / 60).toFixed(1)} minutes: ${list(false)}.` : '',
    list(true) === '' ? '' : `By name only: ${list(true)}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function formatRuns(results: Results): string[] {
  const runs = new Map<string, { readonly names: string[]; load: number }>()
  for (const [name, result] of Object.entries(results)) {
    const key = describeRun(result)
    const run = runs.get(key) ?? { names: [], load: 0 }
    runs.set(key, run)
    run.names.push(name)
    if ((result.loadBefore ?? 0) > result.cores) run.load = Math.max(run.load, result.loadBefore ?? 0)
  }
  return [...runs].map(([text, { names, load }]) => {
    const busy = load === 0 ? '' : `, while other work ran (a load of up to ${Math.round(load)})`
    return `- ${names.join(', ')}: ${text}${busy}`
  })
}

function describeRun({ date, commit, cpu, cores, memoryMiB, system, node, postgres }: Result): string {
  const machine = `${cpu}, ${cores} cores, ${Math.round(memoryMiB / 1_024)} GiB, ${system}`
  const of = commit === undefined ? '' : `, commit ${commit}`
  return `${date.slice(0, 10)}${of}, on ${machine}, Node ${node}, PostgreSQL ${postgres}`
}

function formatResult(name: string, { title, limit, figures, wrong }: Result): string[][] {
  if (!figures) return [[`**${name}** ${title}`, `wrong: ${firstLine(wrong ?? '')}`, '', '', '', 'no']]
  return figures.map((figure, index) => {
    const intro = figures.length === 1 ? '' : `: ${figure.name}`
    const against = figure.limit || figures.some((one) => one.limit) ? ` (against ${limit})` : ''
    return [
      index === 0 ? `**${name}** ${title}${against}${intro}` : `${name}: ${figure.name}`,
      formatSummary(figure.ours, figure.unit),
      figure.limit ? formatSummary(figure.limit, figure.unit) : '',
      formatRatio(figure),
      figure.target,
      figure.isReached === undefined ? '' : figure.isReached ? 'yes' : '**no**',
    ].map((cell) => cell.replaceAll('|', '\\|'))
  })
}

function formatSummary({ p50, p99 }: Summary, unit: string): string {
  return `${formatNumber(p50)} ${unit}${p99 === undefined ? '' : `, p99 ${formatNumber(p99)}`}`
}

function formatRatio({ ratio, ratioP99 }: Figure): string {
  if (ratio === undefined) return ''
  return `${ratio.toFixed(2)}×${ratioP99 === undefined ? '' : `, p99 ${ratioP99.toFixed(2)}×`}`
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 80) ?? ''
}

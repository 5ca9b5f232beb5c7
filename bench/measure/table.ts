/** The table at the end of a run. */

import type { Figure } from './figure.ts'
import type { Work } from './work.ts'

/** The outcome of one benchmark: figures, those until its time was over, or the reason for their absence. */
export type Outcome = { readonly work: Work; readonly seconds: number } & (
  | { readonly kind: 'measured' | 'unfinished'; readonly figures: readonly Figure[] }
  | { readonly kind: 'wrong'; readonly reason: string }
)

const HEADINGS = ['work', 'what', 'ours', 'limit', 'ratio p50', 'ratio p99', 'target', 'reached?']

/** The figures as aligned text, one line each. */
export function formatTable(outcomes: readonly Outcome[]): string {
  const rows = [HEADINGS, ...outcomes.flatMap(formatOutcome)]
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] as number)).join('  '))
    .join('\n')
}

function formatOutcome(outcome: Outcome): string[][] {
  const { name } = outcome.work
  if (outcome.kind === 'wrong')
    return [[name, outcome.reason.split('\n', 1)[0]?.slice(0, 60) ?? '', '', '', '', '', '', 'WRONG']]
  const rows = outcome.figures.map((figure) => [
    name,
    figure.name,
    `${formatNumber(figure.ours.p50)} ${figure.unit}`,
    figure.limit ? `${formatNumber(figure.limit.p50)} ${figure.unit}` : '',
    formatRatio(figure.ratio),
    formatRatio(figure.ratioP99),
    figure.target,
    figure.isReached === undefined ? '–' : figure.isReached ? 'yes' : 'no',
  ])
  return outcome.kind === 'measured'
    ? rows
    : [...rows, [name, 'its time was over', '', '', '', '', '', 'UNFINISHED']]
}

/** How long each took, the longest first, and the whole run. */
export function formatTimes(outcomes: readonly Outcome[], wholeSeconds: number): string {
  const longestFirst = outcomes.toSorted((one, other) => other.seconds - one.seconds)
  const each = longestFirst.map(({ work, seconds }) => `${work.name} ${seconds.toFixed(1)} s`)
  const minutes = Math.floor(wholeSeconds / 60)
  return `took ${minutes} min ${Math.round(wholeSeconds - 60 * minutes)} s: ${each.join(', ')}`
}

function formatRatio(ratio: number | undefined): string {
  return ratio === undefined ? '' : `${ratio.toFixed(2)}×`
}

/** Three digits, or whole numbers. */
export function formatNumber(value: number): string {
  return value >= 1000 ? Math.round(value).toString() : value === 0 ? '0' : value.toPrecision(3)
}

/** A table of Markdown. */
export function formatRows(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

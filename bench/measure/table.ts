/** The table at the end of a run. */

import type { Figure } from './figure.ts'
import type { Work } from './work.ts'

/** The outcome of one benchmark: figures, or the reason for their absence. */
export type Outcome = { readonly work: Work } & (
  | { readonly kind: 'measured'; readonly figures: readonly Figure[] }
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
  return outcome.figures.map((figure) => [
    name,
    figure.name,
    `${formatNumber(figure.ours.p50)} ${figure.unit}`,
    figure.limit ? `${formatNumber(figure.limit.p50)} ${figure.unit}` : '',
    formatRatio(figure.ratio),
    formatRatio(figure.ratioP99),
    figure.target,
    figure.isReached === undefined ? '–' : figure.isReached ? 'yes' : 'no',
  ])
}

function formatRatio(ratio: number | undefined): string {
  return ratio === undefined ? '' : `${ratio.toFixed(2)}×`
}

/** Three digits, or whole numbers. */
export function formatNumber(value: number): string {
  return value >= 1000 ? Math.round(value).toString() : value === 0 ? '0' : value.toPrecision(3)
}

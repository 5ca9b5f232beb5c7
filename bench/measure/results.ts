/** The results of a run, and what they were measured on. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatCapacity, formatConnections } from './capacity.ts'
import { formatCosts } from './costs.ts'
import { formatMarkdown } from './markdown-table.ts'
import type { Result, Results, RunFacts } from './result.ts'
import type { Outcome } from './table.ts'
import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'

/** The file with the latest result of each benchmark, and the documents that are made from it. */
const ROOT = join(import.meta.dirname, '../..')
const RESULTS = join(ROOT, 'bench/results.json')

/** The text of each document that has a part made from the results, by its file. */
export function writeDocuments(results: Results): Record<string, string> {
  const costs = replaceBlock(read('docs/capacity.md'), 'costs', formatCosts(results))
  const capacity = replaceBlock(costs, 'connections', formatConnections(results))
  return {
    'docs/benchmarks.md': replaceBlock(read('docs/benchmarks.md'), 'benchmarks', formatMarkdown(results)),
    'docs/capacity.md': replaceBlock(capacity, 'capacity', formatCapacity(results)),
  }
}

export function readResults(): Results {
  return existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Results) : {}
}

/**
 * The results with those of a run. The latest whole run of each benchmark stays, so a run of one benchmark does not remove
 * the others, and one that did not end does not remove what was measured before.
 */
export function addOutcomes(results: Results, outcomes: readonly Outcome[], facts: RunFacts): Results {
  const added: Record<string, Result> = { ...results }
  for (const outcome of outcomes) {
    if (outcome.kind === 'unfinished') continue
    const { seconds } = outcome
    const { name, title, limit } = outcome.work
    const found = outcome.kind === 'wrong' ? { wrong: outcome.reason } : { figures: outcome.figures }
    added[name] = { title, limit, ...facts, seconds, ...found }
  }
  return added
}

/** Stores the results, and writes the documents anew. */
export function keepResults(results: Results): void {
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
  // As read again: JSON leaves out what is undefined.
  for (const [file, text] of Object.entries(writeDocuments(readResults())))
    writeFileSync(join(ROOT, file), text)
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/** Replaces the text between the two comments of a block; throws without them. */
export function replaceBlock(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name}: made by npm run bench -->`, `<!-- end of ${name} -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`the block ${name} is missing`)
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`
}

/** Facts that explain absolute figures. */
export function describeMachine() {
  return {
    cpu: cpus()[0]?.model ?? '',
    cores: availableParallelism(),
    memoryMiB: Math.round(totalmem() / 2 ** 20),
    system: `${type()} ${release()}`,
    node: process.versions.node,
    loadBefore: loadavg()[0],
  }
}

/** The measured commit, with `+` for uncommitted changes; undefined outside a repository. */
export function describeCommit(folder: string): string | undefined {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+')
  } catch {
    return undefined // No git or no repository, as in a deployed copy.
  }
}

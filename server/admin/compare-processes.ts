/**
 * Compares the memory of running processes with the tables. Each process answers with hashes of its state, part by part,
 * each with its position in the log. The checker loads the state from the tables first, and applies the log up to the
 * same positions.
 */

import { randomUUID } from 'node:crypto'
import { countConnections, type Sql } from '../../db/connection/connect.ts'
import { readLog } from '../../db/log/event-log.ts'
import { askProcesses, type PartAnswer } from '../actors/state-checks.ts'
import type { EventId } from '../domain/ids.ts'
import { DAY_SECONDS } from '../domain/messages/weekly-traffic.ts'
import { LOOK_CONNECTION } from '../log/tail-log.ts'
import { applyEvent } from '../events/apply-event.ts'
import { loadState } from '../state/load-state.ts'
import { digestPart } from '../state/state-parts.ts'
import type { Difference } from './difference.ts'

/** Compares all web processes of the database. */
export async function compareProcesses(
  sql: Sql,
): Promise<{ readonly processes: number; readonly differences: readonly Difference[] }> {
  const count = await countConnections(sql, LOOK_CONNECTION)
  if (count === 0) return { processes: 0, differences: [] }
  const state = await loadState(sql)
  const today = Math.floor(Date.now() / 1000 / DAY_SECONDS)
  const question = { id: randomUUID(), afterId: state.appliedId, today }
  const { parts, processes } = await askProcesses(sql, question, count)
  const wrong: string[] = []
  for (const answer of [...parts].sort((a, b) => a.appliedId - b.appliedId)) {
    while (state.appliedId < answer.appliedId) {
      const [entry] = await readLog(sql, state.appliedId, 1)
      if (!entry) throw new Error(`the log has no event ${state.appliedId + 1}`)
      applyEvent(state, entry)
    }
    if (digestPart(state, answer.part, today) !== answer.digest) wrong.push(describe(answer))
  }
  const differences: Difference[] = []
  if (wrong.length > 0)
    differences.push({
      kind: 'memory',
      text: 'the memory of these processes differs from the tables',
      ids: wrong,
    })
  if (processes < count)
    differences.push({
      kind: 'memory',
      text: `${count - processes} of ${count} processes did not answer`,
      ids: [],
    })
  return { processes, differences }
}

function describe({ process, part, appliedId }: PartAnswer & { appliedId: EventId }): string {
  return `${process}: ${part} at event ${appliedId}`
}

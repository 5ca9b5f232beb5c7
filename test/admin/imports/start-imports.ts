/** A server into which archives are imported. */

import { join } from 'node:path'
import type { Test } from 'tap'
import type { Client } from '../../harness/client/client.ts'
import { makeFolder } from '../../harness/client/tus.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { runHere } from '../run-here.ts'

/** Starts a server; `settings` are those of the command, too. */
export async function startImports(t: Test, settings: Readonly<Record<string, string>> = {}) {
  const folder = await makeFolder(t)
  const server = await startTestServer(t, { env: { DATA_DIR: folder } })
  const { sql, state } = server.node.services

  async function importFrom(product: string, file: string, ...options: string[]) {
    const all = { ...settings, DATA_DIR: folder, DATABASE_URL: server.databaseUrl }
    const ending = await runHere(all, ['import', product, file, ...options])
    const [log] = await sql<{ last: number }[]>`select last_id as last from event_counter`
    await pollUntil('the server to follow', () => state.appliedId >= (log?.last ?? 0))
    return { ...ending, summary: ending.code === 0 ? JSON.parse(ending.stdout) : undefined }
  }
  return { server, importFrom, at: (name: string) => join(folder, name) }
}

/** The messages that a person reads in a narrow, the oldest first. */
export async function readNarrow(
  who: Client,
  narrow: readonly (readonly [operator: string, operand: string | number | number[]])[],
) {
  const { messages } = await who.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
    allow_empty_topic_name: true,
    narrow: narrow.map(([operator, operand]) => ({ operator, operand })),
  })
  return messages
}

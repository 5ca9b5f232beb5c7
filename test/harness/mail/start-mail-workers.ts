/** Workers that send mails in tests, and the lines that they log. */

import { pino } from 'pino'
import { startWorker } from '../../../workers/worker.ts'
import type { TestServer } from '../servers/start-server.ts'

/** Two workers of a server, which share the mails; the lines have no redaction, and the ports are those for mails. */
export async function startMailWorkers(
  t: { teardown(task: () => unknown): void },
  { config, node }: TestServer,
  count = 2,
): Promise<{ readonly lines: string[]; readonly ports: readonly (number | undefined)[] }> {
  const lines: string[] = []
  const ports: (number | undefined)[] = []
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  for (let started = 0; started < count; started++) {
    const worker = await startWorker({ config: { ...config, publicUrl: node.url }, logger })
    ports.push(worker.mailInPort)
    t.teardown(() => worker.close())
  }
  return { lines, ports }
}

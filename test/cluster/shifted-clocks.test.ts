/** Processes on machines whose clocks are hours apart: the clock of the database decides. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { Client, type Fields } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { moduleSettings } from '../harness/servers/environment.ts'
import { ACCOUNTS, emailOf } from '../harness/servers/start-server.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startWorkerProcess } from '../workers/start-worker-process.ts'
import { startWebProcess } from './start-web-process.ts'

const folder = await makeFolder(t)
/** Preloaded into a process: shifts its clock by hours. */
async function shiftedBy(hours: number): Promise<Record<string, string>> {
  const file = join(folder, `shift${hours}.mjs`)
  await writeFile(
    file,
    `const RealDate = Date; const shift = ${hours * 3_600_000}
globalThis.Date = class extends RealDate {
  constructor(...given) { given.length === 0 ? super(RealDate.now() + shift) : super(...given) }
  static now() { return RealDate.now() + shift }
}`,
  )
  return { NODE_OPTIONS: `${moduleSettings().NODE_OPTIONS} --import ${file}` }
}

const databaseUrl = await createDatabase(t, 'people')
const sql = connect(databaseUrl, 1, 'parley-test')
t.teardown(() => sql.end())
const env = { DATABASE_URL: databaseUrl, DATA_DIR: folder }
const fast = await startWebProcess(t, { ...env, ...(await shiftedBy(1)) })
const slow = await startWebProcess(t, { ...env, ...(await shiftedBy(-1)) })
startWorkerProcess(t, { ...env, ...(await shiftedBy(1)) })
const [early, late] = [fast, slow].map(({ url }) => {
  const { id, key } = ACCOUNTS.get('owner') as { id: number; key: string }
  return new Client(url, id, emailOf('owner'), key)
}) as [Client, Client]
const clockOf = async () => {
  const [row] = await sql<
    { now: number }[]
  >`select floor(extract(epoch from clock_timestamp()))::bigint as now`
  return row?.now as number
}

await t.test(
  '[CLOCK1] messages are stamped in the order of their ids, by the clock of the database',
  async (t) => {
    const before = await clockOf()
    for (let round = 0; round < 4; round++)
      for (const client of [early, late]) await client.sendDirect([4], 'x')
    const after = await clockOf()
    const rows = await sql<{ sentAt: number }[]>`select sent_at as "sentAt" from messages order by id`
    const stamps = rows.map(({ sentAt }) => sentAt)
    t.equal(stamps.length, 8)
    t.same(
      stamps,
      [...stamps].sort((a, b) => a - b),
    )
    t.ok(stamps.every((stamp) => before <= stamp && stamp <= after))
  },
)

await t.test(
  '[CLOCK2] a scheduled message must be in the future, and is due, by the clock of the database',
  async (t) => {
    const schedule = async (client: Client, content: string, inSeconds: number) => {
      const deliverAt = (await clockOf()) + inSeconds
      const message: Fields = { type: 'direct', to: [4], content, scheduled_delivery_timestamp: deliverAt }
      return client.post('/scheduled_messages', message)
    }
    t.match(await schedule(early, 'in half an hour', 1_800), { status: 200 })
    t.match(await schedule(late, 'half an hour ago', -1_800), { status: 400 })
    // A busy machine may take some seconds to accept it, and it must be in the future then.
    t.match(await schedule(late, 'at once', 5), { status: 200 })
    const contents = async () =>
      (await sql<{ content: string }[]>`select content from messages where content <> 'x'`).map(
        ({ content }) => content,
      )
    await pollUntil('the due message is sent', async () => (await contents()).includes('at once'))
    t.same(await contents(), ['at once'], 'no other is')
  },
)

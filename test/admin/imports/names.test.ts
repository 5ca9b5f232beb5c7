/** Names that are taken: the check lists them, and the operator chooses. */

import { readFileSync } from 'node:fs'
import t from 'tap'
import { writeJsonZip } from '../../harness/files/write-zip.ts'
import { makeFolder } from '../../harness/client/tus.ts'
import { runHere } from '../run-here.ts'
import { readNarrow, startImports } from './start-imports.ts'

const { server, importFrom, at } = await startImports(t)
const owner = server.as('owner')
const path = at('names.zip')
const PICTURE = 'the bytes of a file'
const said = (ts: string, text: string, more: object = {}) => ({
  type: 'message',
  user: 'U1',
  ts,
  text,
  ...more,
})
writeJsonZip(path, {
  'users.json': [{ id: 'U1', name: 'ann', profile: { real_name: 'Ann', email: 'ann@example.org' } }],
  'channels.json': [
    { id: 'C1', name: 'town', members: ['U1'], is_archived: true },
    { id: 'C2', name: 'lobby', members: ['U1'] },
    { id: 'C3', name: 'attic', members: ['U1'] },
  ],
  'groups.json': [{ id: 'G1', name: 'secret', members: ['U1'] }],
  'town/2024-03-04.json': [
    said('1709550000.000100', 'from there', { files: [{ id: 'F1', name: 'notes.txt' }] }),
  ],
  'lobby/2024-03-04.json': [said('1709550001.000100', 'in the lobby')],
  'attic/2024-03-04.json': [said('1709550002.000100', 'in the attic')],
  'secret/2024-03-04.json': [said('1709550003.000100', 'a secret')],
  '__uploads/F1/notes.txt': PICTURE,
})
await owner.subscribe(['town', 'lobby', 'loft'])
await owner.send('town', 'here', 'from here')

/** A run with a report. */
async function run(...options: string[]) {
  const reportPath = at('names.json')
  const ending = await importFrom('slack', path, '--json', reportPath, ...options)
  t.equal(ending.code, 0, ending.stderr)
  const { places } = JSON.parse(readFileSync(reportPath, 'utf8')) as {
    readonly places: readonly { readonly name: string; readonly imported_as?: string }[]
  }
  const names = Object.fromEntries(places.map(({ name, imported_as: here }) => [name, here]))
  return { ...ending.summary, names }
}

async function channels() {
  const { streams } = await owner.must('GET', '/streams', { include_all: true, exclude_archived: false })
  return streams
}

t.test(
  '[IMPORTNAME1] the check lists taken names with what would come, and the bytes of files',
  async (t) => {
    const plan = await run('--dry-run')
    t.match(plan.names, { town: 'town (Slack)', lobby: 'lobby (Slack)' })
    t.strictSame([plan.names['attic'], plan.names['secret']], [undefined, undefined])
    t.match(plan, { channels: { created: 4, renamed: 2, merged: 0 }, files: 1 })
    t.equal(plan.file_bytes, Buffer.byteLength(JSON.stringify(PICTURE)))
    const chosen = await run(
      '--dry-run',
      '--channel',
      'town=Town',
      '--channel',
      'lobby=Hall',
      '--channel',
      'attic=loft',
    )
    t.match(chosen.names, { lobby: 'Hall', attic: 'loft' })
    t.match(chosen, { channels: { created: 2, renamed: 1, merged: 2 } })
  },
)

t.test(
  '[IMPORTNAME4] without a database the check goes on, and says that nothing was compared',
  async (t) => {
    const plan = ['import', 'slack', path, '--dry-run']
    const alone = await runHere({ DATA_DIR: await makeFolder(t) }, plan)
    t.equal(alone.code, 0, alone.stderr)
    t.match(JSON.parse(alone.stdout), { messages: 4, channels: { created: 4, renamed: 0 } })
    const away = await runHere({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, plan)
    t.match(away, { code: 0, stderr: /^import: not compared with the organization here: /m })
    t.match(JSON.parse(away.stdout), { messages: 4, channels: { created: 4, renamed: 0 } })
  },
)

t.test('[IMPORTNAME2] a choice that cannot be is refused in one line, and nothing comes', async (t) => {
  for (const [choices, reason] of [
    [['secret=town'], /secret cannot come into the channel town, which is public: the channel is private/],
    [['cellar=town'], /the archive has no channel cellar/],
    [['town=Square', 'lobby=square'], /two channels cannot become square: make that channel first/],
    [['lobby=Attic'], /two channels cannot become Attic: make that channel first/],
    [['attic=Lobby (Slack)'], /two channels cannot become Lobby \(Slack\): make that channel first/],
  ] as const)
    for (const options of [['--dry-run'], []]) {
      const chosen = choices.flatMap((choice) => ['--channel', choice])
      const { code, stderr } = await importFrom('slack', path, ...chosen, ...options)
      t.equal(code, 1)
      t.match(stderr.trim().split('\n').at(-1), reason)
    }
  t.notOk((await channels()).some(({ name }) => /secret|attic|square|\(Slack\)/i.test(name)))
})

t.test(
  '[IMPORTNAME3] a channel comes under the chosen name, or into the present one, which stays open',
  async (t) => {
    const options = ['--channel', 'town=town', '--channel', 'lobby=Hall']
    const first = await run(...options)
    t.match(first, { messages: 4, channels: { created: 3, renamed: 1, merged: 1, archived: 0 } })
    t.match(first.names, { lobby: 'Hall' })
    t.equal(first.names['town'], undefined)
    const texts = async (name: string) => {
      const messages = await readNarrow(owner, [['channel', name]])
      return messages.map(({ content }) => content.split('\n')[0])
    }
    t.strictSame(await texts('town'), ['from here', 'from there'])
    t.strictSame(await texts('Hall'), ['in the lobby'])
    const all = await channels()
    t.equal(all.find(({ name }) => name === 'town')?.is_archived, false)
    t.match(await run(), {
      messages: 0,
      channels: { created: 0, merged: 0, archived: 0, already_imported: 4 },
    })
    t.match(await run('--dry-run'), { channels: { created: 0, renamed: 0, already_imported: 4 } })
    t.strictSame(await texts('town'), ['from here', 'from there'], 'nothing twice')
  },
)

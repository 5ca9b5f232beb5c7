/** An export of a Slack Grid: the organization, its workspaces below `teams/`, and channels that several of them share. */

import { writeFileSync } from 'node:fs'
import t from 'tap'
import { makeZip } from '../../harness/files/write-zip.ts'
import { readNarrow, startImports } from './start-imports.ts'

const { server, importFrom, at } = await startImports(t)
const owner = server.as('owner')
const person = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  profile: { real_name: name, email: `${id.toLowerCase()}@example.org` },
  ...more,
})
const said = (user: string, ts: string, text: string) => ({ type: 'message', user, ts, text })
const DAY = '2024-03-04.json'
const FIRST = said('W1', '1709550000.000100', 'said in the workspace of the shops')
const SECOND = said('W2', '1709550001.000100', 'said in the workspace of the works')
const SHARED = { id: 'C9', name: 'fair', is_org_shared: true }
const GRID: Readonly<Record<string, unknown>> = {
  'org_users.json': [
    person('W1', 'Ada Org'),
    person('W2', 'Bea Org'),
    person('W3', 'Cleo Org', { deleted: true }),
  ],
  'channels.json': [{ id: 'C0', name: 'all hands', members: ['W1', 'W2'] }],
  [`all hands/${DAY}`]: [said('W1', '1709549999.000100', 'to all')],
  // Real exports have such files, and entries for folders.
  'groups.json': [],
  'teams/': '',
  'teams/shops/': '',
  'teams/shops/users.json': [person('W1', 'Ada in the shops'), person('U5', 'Dan of the shops')],
  'teams/shops/channels.json': [
    { id: 'C1', name: 'general', members: ['W1', 'U5'] },
    { ...SHARED, members: ['W1', 'U5'] },
  ],
  'teams/shops/dms.json': [{ id: 'D1', members: ['W1', 'W2'] }],
  [`teams/shops/general/${DAY}`]: [said('U5', '1709550002.000100', 'general of the shops')],
  [`teams/shops/fair/${DAY}`]: [FIRST],
  [`teams/shops/D1/${DAY}`]: [said('W2', '1709550005.000100', 'between us')],
  'teams/works/users.json': [person('W2', 'Bea in the works')],
  'teams/works/channels.json': [
    { id: 'C2', name: 'general', members: ['W2'] },
    { ...SHARED, members: ['W2', 'W1'] },
  ],
  'teams/works/groups.json': [{ id: 'G1', name: 'plans', members: ['W2'] }],
  [`teams/works/general/${DAY}`]: [said('W2', '1709550003.000100', 'general of the works')],
  // The one message is in the folders of both.
  [`teams/works/fair/${DAY}`]: [FIRST, SECOND],
  [`teams/works/plans/${DAY}`]: [said('W2', '1709550004.000100', 'a plan')],
}

t.test(
  '[GRID1] people come once, and a shared channel has the messages and members of all workspaces',
  async (t) => {
    const path = at('grid.zip')
    const files = Object.entries(GRID).map(([name, value]) => ({
      name,
      content: name.endsWith('/') ? '' : `${JSON.stringify(value)}\n`,
    }))
    writeFileSync(path, makeZip(files))
    const plan = await importFrom('slack', path, '--dry-run')
    const { code, stderr, summary } = await importFrom('slack', path)
    t.equal(code, 0, stderr)
    const counts = {
      messages: 7,
      users: { created: 4, placeholders: 0 },
      channels: { created: 5, renamed: 1 },
      left_out: { 'a message that is there twice': 1 },
    }
    t.match(summary, counts)
    t.match(plan.summary, counts)
    const texts = async (name: string) => {
      const messages = await readNarrow(owner, [['channel', name]])
      return messages.map(({ content }) => content)
    }
    t.strictSame(await texts('fair'), [FIRST.text, SECOND.text])
    t.strictSame(await texts('all hands'), ['to all'])
    const { streams } = await owner.must('GET', '/streams', { include_all: true })
    t.match(
      streams.find(({ name }) => name === 'plans'),
      { invite_only: true },
    )
    const { members } = await owner.must('GET', '/users')
    t.strictSame(
      members.filter(({ delivery_email: email }) => email?.startsWith('w1@')).map((one) => one.full_name),
      ['Ada Org'],
      'the organization knows them best',
    )
    const { subscribers } = await owner.must(
      'GET',
      `/streams/${streams.find(({ name }) => name === 'fair')?.stream_id}/members`,
    )
    t.equal(subscribers.length, 3)
    t.match((await importFrom('slack', path)).summary, { messages: 0, channels: { created: 0 } })
  },
)

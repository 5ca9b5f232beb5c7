/** Files, pictures and custom emoji of other products: out of the archive, and from their addresses. */

import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import t from 'tap'
import { check } from '../../../server/admin/check.ts'
import { indexMessages } from '../../../workers/jobs/upkeep/index-messages.ts'
import { drawImage } from '../../harness/client/upload.ts'
import { makeZip, type ZipFile } from '../../harness/files/write-zip.ts'
import { startImports, readNarrow } from './start-imports.ts'

const { server, importFrom, at } = await startImports(t, { OUTBOUND_ALLOWED: '127.0.0.1' })
const member = server.as('member')
const owner = server.as('owner')
const { sql, fileStore } = server.node.services
const [red, blue] = [await drawImage('red'), await drawImage('blue')]
const json = (name: string, value: unknown): ZipFile => ({ name, content: JSON.stringify(value) })
const bytesOf = async (content: string) => {
  const path = /\]\((\/user_uploads\/[^)]+)\)/.exec(content)?.[1]
  const headers = { authorization: member.authorization }
  return Buffer.from(await (await fetch(new URL(String(path), member.url), { headers })).arrayBuffer())
}
const personNamed = async (name: string) => {
  const { members } = await owner.must('GET', '/users')
  return members.find(({ full_name }) => full_name === name)
}

/** A server of files, which wants a token. */
async function startFiles() {
  const asked: string[] = []
  const answer: RequestListener = ({ url = '' }, response) => {
    asked.push(url)
    if (url === '/plan.txt?t=xoxe-secret') return response.end('the plan')
    if (url === '/face.png') return response.end(blue)
    if (url === '/old.txt?t=xoxe-old')
      return response.setHeader('content-type', 'text/html').end('<h1>Sign in</h1>')
    response.writeHead(404).end()
  }
  const files = createServer(answer).listen(0, '127.0.0.1')
  await once(files, 'listening')
  t.teardown(() => files.close().closeAllConnections())
  return { base: `http://127.0.0.1:${(files.address() as { port: number }).port}`, asked }
}

const files = await startFiles()
const said = (ts: string, text: string, more: object = {}) => ({
  type: 'message',
  user: 'U1',
  ts,
  text,
  ...more,
})
const link = (id: string, name: string, token: string) => ({
  id,
  name,
  url_private: `${files.base}/${name}`,
  url_private_download: `${files.base}/${name}?t=${token}`,
})
const SLACK: readonly ZipFile[] = [
  json('users.json', [
    {
      id: 'U1',
      profile: { real_name: 'Pia', email: 'pia@example.org', image_original: `${files.base}/face.png` },
    },
    {
      id: 'U2',
      profile: { real_name: 'Quin', email: 'quin@example.org', image_72: `${files.base}/drawn.png` },
    },
  ]),
  json('channels.json', [
    { id: 'C1', name: 'studio', members: ['U1', 'U2'], pins: [{ id: '1700000030.000000' }] },
    { id: 'C2', name: 'hall', members: ['U1'] },
  ]),
  json('studio/2023-11-14.json', [
    said('1700000010.000000', 'look', { files: [{ id: 'F1', name: 'red (1).png' }] }),
    said('1700000020.000000', '', {
      files: [link('F2', 'plan.txt', 'xoxe-secret'), link('F3', 'old.txt', 'xoxe-old')],
    }),
    said('1700000030.000000', 'wow :party:', { reactions: [{ name: 'party', users: ['U1', 'U2'] }] }),
    said('1700000040.000000', 'gone', {
      files: [
        { id: 'F4', mode: 'tombstone' },
        { id: 'F5', name: 'bad.bin' },
      ],
    }),
  ]),
  json('hall/2023-11-15.json', [
    said('1700090000.000000', 'again', { files: [{ id: 'F1', name: 'red (1).png' }] }),
  ]),
  json('emoji.json', {
    emoji: { dance: `${files.base}/face.png`, jig: 'alias:dance', gone: `${files.base}/none` },
  }),
  { name: '__uploads/F1/red (1).png', content: red },
  { name: '__uploads/F5/bad.bin', content: 'broken', crc: 7 },
  { name: 'emoji/party.png', content: red },
]
const slack = at('slack.zip')
writeFileSync(slack, makeZip(SLACK))

t.test('[IMPFILE1] files and emoji in a zip of Slack come as uploads of their senders', async (t) => {
  const planned = await importFrom('slack', slack, '--dry-run')
  const { code, stderr, summary } = await importFrom('slack', slack)
  t.equal(code, 0, stderr)
  t.match(summary, { files: 1, files_as_links: 4, users: { pictures: 0 }, reactions: 2 })
  t.match(planned.summary, { files: 3, reactions: 2 })
  t.match(summary.left_out, { 'a file': 1, 'another name of a custom emoji': 1 })
  t.same(files.asked, [], 'nothing is asked for without the switch')
  const [look, , wow, gone] = await readNarrow(member, [['channel', 'studio']])
  t.match(look?.content, /^look\n\n\[red \(1\)\.png\]\(\/user_uploads\/\S+\.png\)$/)
  t.ok(red.equals(await bytesOf(String(look?.content))))
  t.equal(gone?.content, 'gone\n\nF4 (a file that was not imported)\nbad.bin (a file that was not imported)')
  t.match(wow?.reactions, [{ emoji_name: 'party', reaction_type: 'realm_emoji' }, { emoji_name: 'party' }])
  const [shown] = (
    await member.must('GET', '/messages', {
      anchor: 'oldest',
      num_after: 10,
      narrow: [{ operator: 'channel', operand: 'studio' }],
    })
  ).messages
  t.match(shown?.content, /<img [^>]*\/user_uploads\/thumbnail\//)
  const pins = await sql<{ id: number }[]>`select message_id as id from channel_pins`
  t.same(
    pins.map(({ id }) => id),
    [wow?.id],
  )
  const [{ count } = { count: 0 }] = await sql<
    { count: number }[]
  >`select count(*)::int as count from uploads`
  t.equal(count, 1, 'one file of one sender, for two messages')
})

t.test('[IMPFILE2] with --fetch-files linked files are fetched, and no token is stored', async (t) => {
  const other = at('fetched.zip')
  const renamed = SLACK.map(({ name, content, ...more }) => ({
    name: name.replace('studio', 'atelier'),
    content:
      typeof content === 'string'
        ? content.replaceAll(/"C1"/g, '"C9"').replace('studio', 'atelier')
        : content,
    ...more,
  }))
  writeFileSync(other, makeZip(renamed))
  const { code, stderr, summary } = await importFrom('slack', other, '--fetch-files')
  t.equal(code, 0, stderr)
  t.match(summary, { files: 1, files_as_links: 3, users: { pictures: 1 } })
  t.same(
    new Set(files.asked),
    new Set(['/face.png', '/none', '/plan.txt?t=xoxe-secret', '/old.txt?t=xoxe-old']),
  )
  const [, fetched] = await readNarrow(member, [['channel', 'atelier']])
  t.match(fetched?.content, /\[plan\.txt\]\(\/user_uploads\/.*\n\[old\.txt\]\(http:\S+\/old\.txt\)$/)
  t.equal((await bytesOf(String(fetched?.content))).toString(), 'the plan')
  t.match(await personNamed('Pia'), { avatar_url: /user_avatars\/1\/(?!drawn)/ })
  t.match(await personNamed('Quin'), { avatar_url: /user_avatars\/1\/drawn/ })
  const tables = await sql<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = 'public'`
  for (const { name } of tables) {
    const found = await sql`select from ${sql(name)} t where t::text like '%xoxe-%' limit 1`
    t.equal(found.length, 0, name)
  }
  const before = files.asked.length
  t.match((await importFrom('slack', other, '--fetch-files')).summary, { messages: 0, files: 0 })
  t.same(files.asked.slice(before), ['/none'], 'only the emoji that could not be had')
})

const post = (seconds: number, message: string, ...paths: string[]) => ({
  type: 'post',
  post: {
    team: 'crew',
    channel: 'lab',
    user: 'ria',
    message,
    create_at: (1_700_000_000 + seconds) * 1000,
    attachments: paths.map((path) => ({ path })),
    reactions: [{ user: 'ria', emoji_name: 'spin', create_at: 1 }],
    flagged_by: ['ria', 'nobody'],
  },
})
const LINES = [
  { type: 'version', version: 1 },
  { type: 'team', team: { name: 'crew' } },
  { type: 'channel', channel: { team: 'crew', name: 'lab', display_name: 'Lab', type: 'O' } },
  {
    type: 'user',
    user: {
      username: 'ria',
      email: 'ria@example.org',
      profile_image: 'pictures/ria.png',
      teams: [{ name: 'crew', channels: [{ name: 'lab' }] }],
    },
  },
  post(1, 'two', 'teams/x/a.txt', 'data/teams/x/b.png'),
  post(2, 'none', '../../outside.txt', 'teams/link/secret.txt', 'missing.txt'),
  { type: 'emoji', emoji: { name: 'spin', image: 'emoji/spin.png' } },
]
  .map((line) => JSON.stringify(line))
  .join('\n')

t.test(
  '[IMPFILE3] files of Mattermost come, below data or beside it, and no name leads outside',
  async (t) => {
    const folder = at('unpacked/export')
    for (const name of ['teams/x', 'data/teams/x', 'pictures', 'emoji', '../secret'])
      mkdirSync(`${folder}/${name}`, { recursive: true })
    writeFileSync(`${folder}/import.jsonl`, LINES)
    writeFileSync(`${folder}/teams/x/a.txt`, 'text a')
    writeFileSync(`${folder}/data/teams/x/b.png`, blue)
    writeFileSync(`${folder}/pictures/ria.png`, red)
    writeFileSync(`${folder}/emoji/spin.png`, blue)
    writeFileSync(at('outside.txt'), 'not yours')
    writeFileSync(`${folder}/../secret/secret.txt`, 'not yours')
    symlinkSync('../../secret', `${folder}/teams/link`)
    const { code, stderr, summary } = await importFrom('mattermost', `${folder}/import.jsonl`)
    t.equal(code, 0, stderr)
    t.match(summary, {
      files: 2,
      files_as_links: 3,
      reactions: 2,
      users: { pictures: 1, stars: 2 },
      left_out: {},
    })
    const [two, none] = await readNarrow(member, [['channel', 'Lab']])
    t.equal((await bytesOf(String(two?.content))).toString(), 'text a')
    t.match(two?.content, /\[b\.png\]\(\/user_uploads\//)
    t.match(none?.content, /outside\.txt \(a file that was not imported\)\nsecret\.txt \(a file that/)
    t.match(two?.reactions, [{ emoji_name: 'spin', reaction_type: 'realm_emoji' }])
    t.match(await personNamed('ria'), { avatar_url: /user_avatars\/1\/(?!drawn)/ })
    const zip = at('mattermost.zip')
    writeFileSync(
      zip,
      makeZip([
        { name: 'import.jsonl', content: LINES },
        { name: 'data/teams/x/a.txt', content: 'text a' },
      ]),
    )
    t.match((await importFrom('mattermost', zip, '--dry-run')).summary, { files: 1, files_as_links: 4 })
    t.match((await importFrom('mattermost', zip)).summary, { messages: 0, files: 0 })
  },
)

t.test('[IMPFILE4] the files agree with the tables', async (t) => {
  await indexMessages(sql)
  t.same((await check(server.databaseUrl, fileStore)).differences, [])
})

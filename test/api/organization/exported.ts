/** An organization with everything that exports treat differently, and their archives as tests read them. */

import type { Test } from 'tap'
import { filterNames } from '../../../server/changes/imports/archive.ts'
import { ZipArchive } from '../../../server/changes/imports/zip-archive.ts'
import { drawImage, mustUpload } from '../../harness/client/upload.ts'
import { mustPostFile } from '../../harness/client/user-files.ts'
import { PEOPLE, type TestServer } from '../../harness/servers/start-server.ts'

type Line = Record<string, unknown>

/** Fills the organization. */
export async function fillExported(server: TestServer) {
  const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]
  const file = await mustPostFile(member, 'the plan', 'plan.txt')
  const secret = await mustPostFile(member2, 'the secret', 'secret.txt')
  await owner.subscribe(['town'])
  await member.subscribe(['town'])
  await member.subscribe(['open room'], { invite_only: true })
  await member2.subscribe(['closed room'], { invite_only: true })
  await member2.subscribe(['late room'], { invite_only: true, history_public_to_subscribers: false })
  const channelOf = (name: string) => server.node.services.state.findChannelByName(name)?.channel.id as number
  const town = await member.send('town', 'plans', `See [plan](${file})`)
  const open = await member.send('open room', 'talk', 'among us')
  await member2.send('closed room', 'talk', `nobody else: [secret](${secret})`)
  await member2.send('late room', 'talk', 'before')
  await member2.subscribe(['late room'], { principals: [member.userId] })
  const late = await member2.send('late room', 'talk', 'after')
  const ours = await member.sendDirect([member2.userId], 'hi')
  const theirs = await member2.sendDirect([owner.userId], 'hi')
  await member.must('PATCH', `/messages/${town}`, { content: `Look at [plan](${file})` })
  await owner.must('POST', `/messages/${town}/reactions`, { emoji_name: 'tada' })
  for (const client of [member, member2])
    await client.must('POST', '/messages/flags', { messages: [town], op: 'add', flag: 'starred' })
  await member.must('POST', '/user_topics', {
    stream_id: channelOf('town'),
    topic: 'plans',
    visibility_policy: 3,
  })
  await mustUpload(owner, '/realm/emoji/logo', await drawImage('red'))
  await mustUpload(member, '/users/me/avatar', await drawImage('blue'))
  for (const client of [member, member2])
    await client.must('PATCH', '/settings', { email_address_visibility: 4 })
  return { file, channelOf, ids: { town, open, late, ours, theirs } }
}

/** The records of an archive, by the names of its lists, and the names of all entries. */
export async function readArchive(t: Test, path: string) {
  const zip = await ZipArchive.open(path, (name) => t.fail(name))
  try {
    const names = await filterNames(zip, () => true)
    const textOf = async (name: string) => {
      const entry = await zip.find(name)
      return entry === undefined ? '' : (await entry.read()).toString()
    }
    const lines = async (name: string) =>
      (await textOf(`${name}.jsonl`))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Line)
    const lists: Record<string, Line[]> = {}
    for (const name of ['users', 'groups', 'channels', 'messages', 'marks', 'files', 'user_topics', 'emoji'])
      lists[name] = await lines(name)
    const own = JSON.parse((await textOf('own.json')) || '{}') as Line
    const file = await textOf(String(lists['files']?.[0]?.['file']))
    // Without those of the server's bot.
    const sent = lists['messages']?.filter((one) => Number(one['sender_id']) <= PEOPLE.length) ?? []
    return { names, lists, head: JSON.parse(await textOf('export.json')) as Line, file, sent, own }
  } finally {
    await zip.close()
  }
}

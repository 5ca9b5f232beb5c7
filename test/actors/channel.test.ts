/** The newest messages of the channels: bounded over all of them. */

import t from 'tap'
import type { ChannelId } from '../../server/domain/ids.ts'
import { startTestServer } from '../harness/start-server.ts'
import { makeEntry } from '../log/make-entry.ts'

await t.test('[RECENT1] what is sent to one channel pushes out those that are read less', async (t) => {
  const server = await startTestServer(t)
  await server.as('owner').subscribe(['quiet', 'loud'])
  const { channels, state } = server.node.services
  const [quiet, loud] = [1 as ChannelId, 2 as ChannelId]
  const held = await channels.recentOf(quiet)
  await channels.recentOf(loud)
  t.equal(await channels.recentOf(quiet), held, 'it is held')
  await channels.recentOf(loud)
  const rendered = 'x'.repeat(1024 * 1024)
  for (let count = 1; count <= 17; count++) {
    channels.push(makeEntry(state.appliedId + count, {}, { channelId: loud, rendered }))
  }
  t.not(await channels.recentOf(quiet), held, 'it is read anew')
})

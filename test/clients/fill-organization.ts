/** One of each object that a client reads at its start. */

import type { TestServer } from '../harness/servers/start-server.ts'

/** Fills the organization; the member has unread messages of each kind. */
export async function fillOrganization(server: TestServer): Promise<void> {
  const [owner, member] = [server.as('owner'), server.as('member')]
  await owner.subscribe(['town'], { principals: [1, 4, 5, 6] })
  await owner.send('town', 'weather', 'rain, @**The member**')
  await member.must('POST', '/messages/flags', {
    messages: [await owner.send('town', 'weather', 'sun')],
    op: 'add',
    flag: 'starred',
  })
  await owner.must('POST', `/messages/${await owner.send('town', 'food', 'soup')}/reactions`, {
    emoji_name: 'car',
  })
  await owner.sendDirect([4], 'hello')
  await owner.sendDirect([4, 5], 'hello, both')
  await member.must('PATCH', '/users/me/subscriptions/muted_topics', {
    stream: 'town',
    topic: 'food',
    op: 'add',
  })
  await owner.must('POST', '/user_groups/create', { name: 'folk', description: '', members: [4] })
  await owner.must('POST', '/users/me/presence', { status: 'active' })
  await owner.must('POST', '/users/me/status', { status_text: 'busy', emoji_name: 'car' })
  const field = await owner.must('POST', '/realm/profile_fields', { field_type: 1, name: 'Biography' })
  await owner.must('PATCH', '/users/me/profile_data', { data: [{ id: field.id, value: 'a *life*' }] })
  // Notices of the server create its notification bot.
  await owner.subscribe(['village'])
  await owner.subscribe(['village'], { principals: [4], send_new_subscription_messages: true })
}

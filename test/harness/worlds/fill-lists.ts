/** Fills the default organization, so that each list of the owner's registration has an entry. */

import { addUser, deactivate } from './add-user.ts'
import type { TestServer } from '../servers/start-server.ts'
import { drawImage, mustUpload } from '../client/upload.ts'

/** In the far future, in UNIX seconds. */
const LATER = 4_000_000_000

/** At least one object in each list, of each kind that lists may have. */
export async function fillLists(server: TestServer): Promise<void> {
  const owner = server.as('owner')
  await fillChannels(server)
  await fillMessages(server)
  await owner.must('POST', '/users/me/presence', { status: 'active' })
  await owner.must('POST', '/users/me/status', { status_text: 'away', emoji_name: 'car' })
  await owner.must('POST', '/users/me/muted_users/6')
  await owner.must('POST', '/users/me/alert_words', { alert_words: ['tea'] })
  await owner.must('POST', '/saved_snippets', { title: 'Title', content: 'content' })
  await owner.must('POST', '/navigation_views', { fragment: 'inbox', is_pinned: true })
  await owner.must('POST', '/register_client_device')
  await owner.must('POST', '/realm/domains', { domain: 'example.org', allow_subdomains: false })
  await owner.must('POST', '/realm/filters', {
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://example.com/{id}',
  })
  await owner.must('POST', '/realm/playgrounds', {
    name: 'Rust',
    highlighter_language: 'Rust',
    url_template: 'https://play.example.com/{?code}',
  })
  await mustUpload(owner, '/realm/emoji/party', await drawImage('red'))
  const field = await owner.must('POST', '/realm/profile_fields', { field_type: 1, name: 'Biography' })
  await owner.must('PATCH', '/users/me/profile_data', { data: [{ id: field.id, value: 'a *life*' }] })
  const { userId } = await addUser(server, 'gone')
  await deactivate(server, userId)
}

async function fillChannels(server: TestServer): Promise<void> {
  const owner = server.as('owner')
  const member = server.as('member')
  await owner.subscribe(['town', 'left'])
  await owner.must('DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
  await member.subscribe(['not joined'])
  await member.subscribe(['town'])
  await owner.must('POST', '/channel_folders/create', { name: 'Folder' })
  await owner.must('POST', '/default_streams', { stream_id: 1 })
  await owner.must('POST', '/default_stream_groups/create', {
    group_name: 'Sports',
    description: '',
    stream_names: ['not joined'],
  })
  await owner.must('POST', '/user_topics', { stream_id: 1, topic: 'topic', visibility_policy: 3 })
  await owner.must('POST', '/user_topics', { stream_id: 1, topic: 'muted', visibility_policy: 1 })
}

async function fillMessages(server: TestServer): Promise<void> {
  const owner = server.as('owner')
  const member = server.as('member')
  const pinned = await member.send('town', 'topic', 'hello')
  await owner.must('POST', `/messages/${pinned}/pin`, { kind: 'message' })
  await member.send('town', '', 'hello, @**all**')
  await member.sendDirect([1], 'hello, @**The owner**')
  await member.sendDirect([1, 5], 'hello')
  const own = await owner.send('town', 'topic', 'hello')
  await owner.must('POST', '/messages/flags', { messages: [own], op: 'add', flag: 'starred' })
  const draft = { type: '', to: [], topic: '', content: 'later' }
  await owner.must('POST', '/drafts', { drafts: [draft, { ...draft, type: 'private', to: [4] }] })
  await owner.must('POST', '/reminders', { message_id: own, scheduled_delivery_timestamp: LATER })
  const scheduled = { content: 'later', scheduled_delivery_timestamp: LATER }
  await owner.must('POST', '/scheduled_messages', { ...scheduled, type: 'direct', to: [4] })
  await owner.must('POST', '/scheduled_messages', { ...scheduled, type: 'channel', to: 1, topic: 'topic' })
  // Notices of the server create its notification bot.
  await owner.subscribe(['town'], { principals: [5], send_new_subscription_messages: true })
}

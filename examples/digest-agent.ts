/**
 * Sums up a channel for somebody who was away, as an agent: by the Model Context Protocol, with a key that reads and drafts.
 * The digest becomes a draft of its person, who sends it or not.
 *
 *     PARLEY_URL=https://chat.example.com PARLEY_KEY=… node digest-agent.ts general
 *
 * It counts instead of understanding: put a model in place of `sumUp`, and give it the same tools. Texts of others are
 * data for it, never instructions.
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const { PARLEY_URL: url = '', PARLEY_KEY: key = '' } = process.env
const [channel = 'general'] = process.argv.slice(2)
if (url === '' || key === '') throw new Error('PARLEY_URL and PARLEY_KEY must be set')

const DAY_MS = 24 * 3600 * 1000
const TOPICS_MAX = 10
const MESSAGES_MAX = 50

interface Topic {
  readonly topic: string
}
interface Message {
  readonly sent_at: string
  readonly sender: { readonly name: string }
}

const agent = new Client({ name: 'digest-agent', version: '1.0' }, { versionNegotiation: { mode: 'auto' } })
await agent.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  }),
)

/** The value of a tool's result; texts of others have a note in front. */
async function use<Value>(name: string, args: Record<string, unknown>): Promise<Value> {
  const { content, isError } = await agent.callTool({ name, arguments: args })
  const [first] = content as readonly { readonly text: string }[]
  const text = first?.text ?? ''
  if (isError === true) throw new Error(`${name}: ${text}`)
  return JSON.parse(text.slice(text.indexOf('{"'))) as Value
}

function sumUp(topic: string, messages: readonly Message[]): string | undefined {
  const recent = messages.filter(({ sent_at: at }) => Date.parse(at) > Date.now() - DAY_MS)
  if (recent.length === 0) return undefined
  const people = [...new Set(recent.map(({ sender }) => sender.name))]
  return `- **${topic || 'general chat'}**: ${recent.length} messages by ${people.join(', ')}`
}

const { topics } = await use<{ topics: Topic[] }>('list_topics', { channel, limit: TOPICS_MAX })
const lines: string[] = []
for (const { topic } of topics) {
  const place = { channel, topic, limit: MESSAGES_MAX }
  const { messages } = await use<{ messages: Message[] }>('read_conversation', place)
  const line = sumUp(topic, messages)
  if (line !== undefined) lines.push(line)
}
const content = [`Yesterday in #**${channel}**:`, ...(lines.length > 0 ? lines : ['nothing'])].join('\n')
const { draft_id: id } = await use<{ draft_id: number }>('save_draft', { channel, topic: 'digest', content })
process.stdout.write(`draft ${id}\n${content}\n`)
await agent.close()

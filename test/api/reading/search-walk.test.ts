/** Searches against a naive model, while messages are sent, edited, moved, deleted and indexed. */

import t from 'tap'
import { indexMessages } from '../../../workers/jobs/upkeep/index-messages.ts'
import { makeRandom } from '../../events/make-random.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const seed = Number(process.env.PARLEY_TEST_SEED ?? 20_261_122)
const random = makeRandom(seed)
const { below } = random
const server = await startTestServer(t)
const owner = server.as('owner')
await owner.subscribe(['town', 'tower'], { principals: [1, 4] })
await owner.subscribe(['closed'], { invite_only: true, principals: [1] })

const WORDS = [
  'harbour harbours harvest Überfahrt straße strasse night knight light a ab the of 42 4711 été 東京 京都',
  '東京タワー 会いましょう 一二三 二三 -> && a_b 100% x.y 👍 👍👍 สวัสดี 한국어 don’t İstanbul ΟΔΟΣ οδός',
  'blob'.repeat(30),
].flatMap((words) => words.split(' '))
const TOPICS = ['harbour plans', 'night', '東京 trip', 'x.y']
const CHANNELS = ['town', 'tower', 'closed'] as const

/** Without messages of the notification bot. */
const MOVE = {
  propagate_mode: 'change_one',
  send_notification_to_old_thread: false,
  send_notification_to_new_thread: false,
}

interface Sent {
  readonly id: number
  channel: (typeof CHANNELS)[number]
  topic: string
  content: string
}
const sent: Sent[] = []

const text = () =>
  Array.from({ length: 1 + below(5) }, () => random.pick(WORDS)).join(below(4) === 0 ? '' : ' ')

/** One letter replaced, missing, added, or two exchanged. */
function mistype(word: string): string {
  const letters = Array.from(word)
  const at = below(letters.length)
  const [one = '', other = ''] = letters.slice(at, at + 2)
  const replacement = random.pick([
    [random.pick(['a', 'q'])],
    [],
    [one, random.pick(['t', 'z'])],
    [other, one],
  ])
  letters.splice(at, replacement[0] === other ? 2 : 1, ...replacement)
  return letters.join('')
}

function makeOperand(): string {
  const from = random.pick(sent)
  const source = `${from.topic} ${from.content}`
  const start = below(source.length)
  const piece = source.slice(start, start + 1 + below(12)).toWellFormed()
  return random.pick([
    () => random.pick(WORDS),
    () => `${random.pick(WORDS)} ${random.pick(WORDS)}`,
    () =>
      random
        .pick(WORDS)
        .slice(0, 1 + below(5))
        .toWellFormed(),
    () =>
      random
        .pick(WORDS)
        .slice(1 + below(2))
        .toWellFormed(),
    () => mistype(random.pick(WORDS)),
    () => mistype(random.pick(['harbours', 'Überfahrt', 'harvest'])),
    () => `"${piece.replaceAll('"', '')}"`,
    () => piece.replaceAll('"', ''),
    () => random.pick(WORDS).toUpperCase(),
  ])()
}

/** The exact rules, without an index. */
const fold = (one: string) => Array.from(one.replaceAll('İ', 'i'), (letter) => letter.toLowerCase()).join('')
const isUnspaced = (letter: string) =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]/u.test(letter)
function wordsOf(folded: string): string[] {
  const isInWord = (letter: string) => /[\p{L}\p{N}\p{M}]/u.test(letter) && !isUnspaced(letter)
  return Array.from(folded, (letter) => (isInWord(letter) ? letter : ' '))
    .join('')
    .split(' ')
}
function isMistyped(word: string, other: string): boolean {
  const letters = Array.from(word)
  return letters.concat('').some(
    (letter, at) =>
      [1, 0].some((taken) => {
        const [front, back] = [letters.slice(0, at).join(''), letters.slice(at + taken).join('')]
        return (
          other.startsWith(front) && other.endsWith(back) && other.length === front.length + 1 + back.length
        )
      }) ||
      letters.toSpliced(at, 1).join('') === other ||
      letters.toSpliced(at, 2, letters[at + 1] ?? '', letter).join('') === other,
  )
}
function isFound({ topic, content }: Sent, operand: string): boolean {
  const searched = fold(`${topic} ${content}`)
  const terms = operand.startsWith('"')
    ? [{ term: operand.slice(1, -1).trim(), isForgiving: false }]
    : operand.split(/\s+/).map((term) => ({ term, isForgiving: true }))
  return terms.every(({ term, isForgiving }) => {
    const folded = fold(term)
    if (searched.includes(folded)) return true
    const isWord = /^\p{L}{5,40}$/u.test(term) && !Array.from(term).some(isUnspaced)
    return isForgiving && isWord && wordsOf(searched).some((word) => isMistyped(folded, word))
  })
}

async function change(): Promise<void> {
  const one = sent.length === 0 ? undefined : random.pick(sent)
  const action = below(10)
  if (!one || action < 6) {
    const channel = random.pick(CHANNELS)
    const [topic, content] = [random.pick(TOPICS), text()]
    sent.push({ id: await owner.send(channel, topic, content), channel, topic, content })
  } else if (action === 6) {
    one.content = text()
    await owner.must('PATCH', `/messages/${one.id}`, { content: one.content })
  } else if (action === 7) {
    const topic = random.pick(TOPICS.filter((other) => other !== one.topic))
    await owner.must('PATCH', `/messages/${one.id}`, { topic, ...MOVE })
    one.topic = topic
  } else if (action === 8) {
    const channel = random.pick(CHANNELS.filter((other) => other !== one.channel))
    const stream_id = { town: 1, tower: 2, closed: 3 }[channel]
    await owner.must('PATCH', `/messages/${one.id}`, { stream_id, ...MOVE })
    one.channel = channel
  } else {
    await owner.must('DELETE', `/messages/${one.id}`)
    sent.splice(sent.indexOf(one), 1)
  }
}

t.test('[SEARCH8] searches find the same as a comparison with every message', async (t) => {
  const { sql } = server.node.services
  let foundCount = 0
  for (let round = 0; round < 30; round++) {
    for (let count = 0; count < 5; count++) await change()
    if (below(4) === 0) await indexMessages(sql)
    for (let count = 0; count < 8; count++) {
      const operands = Array.from({ length: 1 + below(2) }, () => ({
        operand: makeOperand(),
        negated: below(4) === 0,
      })).filter(({ operand }) => operand.trim() !== '' && operand.replaceAll('"', '').trim() !== '')
      const person = random.pick(['owner', 'member'] as const)
      const channel = below(4) === 0 ? random.pick(['town', 'tower']) : undefined
      const expected = sent
        .filter((one) => person === 'owner' || one.channel !== 'closed')
        .filter((one) => channel === undefined || one.channel === channel)
        .filter((one) => operands.every(({ operand, negated }) => isFound(one, operand) !== negated))
        .map(({ id }) => id)
      const anchor = random.pick(sent).id
      const isPaged = below(3) === 0
      const { messages } = await server.as(person).must('GET', '/messages', {
        ...(isPaged ? { anchor, num_before: 2, num_after: 2 } : { anchor: 'newest', num_before: 500 }),
        narrow: [
          ...operands.map((one) => ({ operator: 'search', ...one })),
          ...(channel === undefined ? [] : [{ operator: 'channel', operand: channel }]),
        ],
      })
      const [older, newer] = [expected.filter((id) => id < anchor), expected.filter((id) => id > anchor)]
      const page = [...older.slice(-2), ...expected.filter((id) => id === anchor), ...newer.slice(0, 2)]
      foundCount += expected.length
      const label = `seed ${seed}, round ${round}: ${person} ${channel} ${JSON.stringify(operands)}`
      t.same(
        messages.map(({ id }: { id: number }) => id),
        isPaged ? page : expected,
        label,
      )
    }
  }
  t.ok(foundCount > 500, 'enough is found for this to mean something')
})

/** The search index across blocks of ids: a batch ends with its block, and edits reach the blocks before. */

import t from 'tap'
import { connect, type Transaction } from '../../db/connection/connect.ts'
import { findWronglyIndexed } from '../../db/search/search-consistency.ts'
import { indexNextMessages } from '../../db/search/search-index.ts'
import { BLOCK_LENGTH } from '../../server/domain/search/posting-set.ts'
import { createDatabase } from '../harness/databases/create-database.ts'

const sql = connect(await createDatabase(t, 'people'), 1, 'parley-test')
t.teardown(() => sql.end())
await sql`insert into conversations (user_ids) values ('{1,2}')`

/** Stores messages with these ids, each with its id as a word. */
async function store(ids: readonly number[], text = 'soup'): Promise<void> {
  await sql`
    insert into messages (id, conversation_id, topic, sender_id, content, rendered, sent_at, client, read_by_id)
    select id, 1, 'lunch', 1, ${text} || ' n' || id, '', 1, '', 1 from unnest(${[...ids]}::bigint[]) as m (id)`
  await sql`update event_counter set last_id = greatest(last_id, ${Math.max(...ids)})`
}

const indexed = async () => (await sql<{ id: number }[]>`select through_id as id from search_index`)[0]?.id
const wrong = () => sql.begin((tx) => findWronglyIndexed(tx as Transaction))
const indexedWith = async (word: string) =>
  (
    await sql<{ block: number; bytes: number }[]>`
      select p.block, length(p.offsets) as bytes from search_words w join search_postings p on p.term = w.id
      where w.word = ${word} order by p.block`
  ).map(({ block, bytes }) => [block, bytes])

t.test('[SEARCH72] a batch has the new messages of one block, and ends where the block does', async (t) => {
  const [first, second, fourth] = [BLOCK_LENGTH - 2, BLOCK_LENGTH, 3 * BLOCK_LENGTH + 5]
  await store([first, first + 1, second, second + 7, fourth])
  for (const [count, throughId] of [
    [2, BLOCK_LENGTH - 1],
    [2, 2 * BLOCK_LENGTH - 1],
    [1, fourth],
    [0, fourth],
  ] as const) {
    t.equal(await indexNextMessages(sql, BLOCK_LENGTH), count)
    t.equal(await indexed(), throughId)
  }
  t.same(await indexedWith('soup'), [
    [0, 4],
    [1, 4],
    [3, 2],
  ])
  t.same(await wrong(), [])
})

t.test('[SEARCH73] edits of earlier blocks are indexed with the new messages of a later one', async (t) => {
  const next = 4 * BLOCK_LENGTH
  await store([next, next + 1])
  await sql`update messages set content = 'noodles' where id in (${BLOCK_LENGTH - 2}, ${BLOCK_LENGTH})`
  t.equal(await indexNextMessages(sql, BLOCK_LENGTH), 4)
  t.same(await indexedWith('noodles'), [
    [0, 2],
    [1, 2],
  ])
  t.same(await indexedWith('soup'), [
    [0, 2],
    [1, 2],
    [3, 2],
    [4, 4],
  ])
  t.same(await wrong(), [])
})

t.test('[SEARCH74] messages are added to a block that is begun, with any number of new words', async (t) => {
  const words = Array.from({ length: 4_500 }, (_, index) => `w${index}`)
  await store([4 * BLOCK_LENGTH + 2], words.join(' '))
  t.equal(await indexNextMessages(sql, BLOCK_LENGTH), 1)
  for (const word of ['w0', 'w2000', 'w4499']) t.same(await indexedWith(word), [[4, 2]], word)
  t.same(await indexedWith('lunch'), [
    [0, 4],
    [1, 4],
    [3, 2],
    [4, 6],
  ])
  t.same(await wrong(), [])
  const found = await sql<{ word: string }[]>`
    select word from search_words where search_grams(word) @> array['w4', '449'] order by word`
  t.same(
    found.map(({ word }) => word),
    ['w4449', 'w449', ...Array.from({ length: 10 }, (_, index) => `w449${index}`)],
  )
})

t.test(
  '[SEARCH75] words that leave their only message and come in a new one stay in the index',
  async (t) => {
    const words = Array.from({ length: 5_001 }, (_, index) => `moved${index}`)
    const [old, fresh] = [5 * BLOCK_LENGTH, 6 * BLOCK_LENGTH]
    await store([old], words.join(' '))
    t.equal(await indexNextMessages(sql, BLOCK_LENGTH), 1)
    await sql`update messages set content = 'nothing' where id = ${old}`
    const staying = words.filter((_, index) => index % 3 !== 0)
    await store([fresh], staying.join(' '))
    t.equal(await indexNextMessages(sql, BLOCK_LENGTH), 2)
    t.same(await wrong(), [])
    const [count] = await sql<{ words: number }[]>`
    select count(*)::int as words from search_words w join search_postings p on p.term = w.id
    where w.word like 'moved%'`
    t.equal(count?.words, staying.length)
  },
)

t.test(
  '[SEARCH76] a batch has few enough terms, also of texts in which no two characters repeat',
  async (t) => {
    const count = 20
    const ids = Array.from({ length: count }, (_, index) => 7 * BLOCK_LENGTH + index)
    // Each message has ten thousand pairs of its own.
    for (const [index, id] of ids.entries()) {
      const first = 0x4e00 + 500 * index
      await store([id], Array.from({ length: 10_000 }, (_, at) => pairOf(first, at)).join(' '))
    }
    let total = 0
    while (total < count) {
      const indexedCount = await indexNextMessages(sql, BLOCK_LENGTH)
      t.ok(indexedCount > 0 && indexedCount < count, `${indexedCount} messages in a batch`)
      total += indexedCount
      t.equal(await indexed(), 7 * BLOCK_LENGTH + total - 1)
      if (indexedCount === 0) break
    }
    t.equal(await indexNextMessages(sql, BLOCK_LENGTH), 0)
    t.same(await wrong(), [])
  },
)

/** The pair of this number, of a hundred characters from `first` on and a hundred others. */
function pairOf(first: number, at: number): string {
  return String.fromCodePoint(first + Math.floor(at / 100), first + 200 + (at % 100))
}

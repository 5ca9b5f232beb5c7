/** Unused images are deleted once their upload has surely ended. */

import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { cleanUp } from '../../workers/jobs/upkeep/clean-up.ts'
import { createDatabase } from '../harness/databases/create-database.ts'

const DAY_MS = 24 * 3600 * 1000

t.test('[IMAGE11] images of no avatar and no emoji are deleted after a day; others stay', async (t) => {
  const url = await createDatabase(t, 'people')
  const sql = connect(url, 2, 'parley-test')
  t.teardown(() => sql.end())
  const now = new Date()
  const ids = { avatar: 'a', emoji: 'b', deactivated: 'c', orphan: 'd', young: 'e' }
  for (const [name, letter] of Object.entries(ids)) {
    const storedAt = new Date(now.getTime() - DAY_MS + (name === 'young' ? 1_000 : -1_000))
    for (const variant of ['avatar', 'avatar-medium']) {
      await sql`insert into pictures (id, variant, content_type, sha256, bytes, stored_at)
        values (${letter.repeat(32)}, ${variant}, 'image/png', 'x', ${Buffer.from('x')}, ${storedAt})`
    }
  }
  await sql`update users set avatar_id = ${ids.avatar.repeat(32)} where id = 4`
  for (const [id, letter] of [
    [1, ids.emoji],
    [2, ids.deactivated],
  ] as const) {
    await sql`insert into custom_emoji (id, name, author_id, picture_id, is_animated, is_deactivated)
      values (${id}, 'x', 4, ${letter.repeat(32)}, false, ${id === 2})`
  }
  t.equal((await cleanUp(sql, now)).pictures, 2)
  const left = await sql<{ letter: string }[]>`select distinct left(id, 1) as letter from pictures order by 1`
  t.same(
    left.map(({ letter }) => letter),
    ['a', 'b', 'c', 'e'],
  )
  t.equal((await cleanUp(sql, now)).pictures, 0, 'a second run finds nothing')
})

/** The tested rules are the titles of the tests, each with an id. */

import t from 'tap'
import { readRules } from './rules.ts'

t.test('[SPEC1] every rule has a unique id', async (t) => {
  const ids = readRules().map(({ id }) => id)
  t.ok(ids.length > 2000)
  t.same(ids, [...new Set(ids)])
})

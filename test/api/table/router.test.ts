/** Finding operations by path. */

import t from 'tap'
import { operation } from '../../../server/api/operation.ts'
import { id, required } from '../../../server/api/params.ts'
import { PATHS_BYTES_MAX, Router } from '../../../server/api/router.ts'

const getThing = operation({
  method: 'GET',
  path: '/things/{thing_id}',
  summary: 'Get a thing',
  access: 'user',
  params: { thing_id: required(id(), 'The id of the thing.') },
  reply: {},
  errors: [],
  events: [],
  run: () => ({}),
})

t.test('[ROUTER1] a path that comes again has the same values, whatever came between', (t) => {
  const router = new Router([getThing])
  const idOf = (path: string) => router.find(path)?.pathParams.get('thing_id')
  for (const _ of [1, 2, 3]) {
    t.equal(idOf('/things/7'), '7')
    t.equal(idOf('/things/8'), '8')
    t.equal(idOf('/things/x'), undefined)
    t.equal(router.find('/things'), undefined)
  }
  t.equal(router.find('/things/7')?.operations.get('GET'), getThing)
  t.end()
})

t.test('[ROUTER2] cached paths have a bound, in number and in length', (t) => {
  const router = new Router([getThing])
  let bytesMost = 0
  for (let thing = 0; thing < 10_000; thing++) {
    router.find(`/things/${thing}`)
    bytesMost = Math.max(bytesMost, router.bytes)
  }
  t.equal(bytesMost, PATHS_BYTES_MAX)
  const { bytes } = router
  t.equal(router.find(`/things/${'1'.repeat(200)}`), undefined)
  for (const _ of [1, 2]) router.find(`/${'things/'.repeat(100)}`)
  t.equal(router.bytes, bytes)
  t.end()
})

/** The limits of the types of parameters, and fields that an object only inherits. */

import t from 'tap'
import { integer, list, object, optional, required } from '../../../server/api/params.ts'

t.test('[PARAM1] a list may be as long as its limit', (t) => {
  const type = list(integer(), { lengthMax: 2 })
  t.same(type.check([1, 2], 'ids'), [1, 2])
  t.throws(() => type.check([1, 2, 3], 'ids'), { message: /too long/ })
  t.end()
})

t.test('[PARAM2] the prototype of an object gives it no field', (t) => {
  const type = object({
    constructor: optional(integer(), 'A field that every object inherits.'),
    own: required(integer(), 'A field.'),
  })
  t.same(type.check({ own: 1 }, 'given'), { constructor: undefined, own: 1 })
  t.end()
})

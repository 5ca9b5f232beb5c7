/** The headers of the client's page. */

import t from 'tap'
import { pageHeaders } from '../../server/wire/client-files.ts'

t.test('[CLIENT11] the page names its modules in a header, and has none without modules', (t) => {
  const linkOf = (page: string) => pageHeaders(Buffer.from(page), undefined)['Link']
  t.equal(
    linkOf('<script async src="/app/a.js" data-early="/app/b.js" data-main="/app/c.js"></script>'),
    '</app/b.js>; rel=modulepreload, </app/c.js>; rel=modulepreload',
  )
  t.notOk('Link' in pageHeaders(Buffer.from('<script async src="/app/a.js"></script>'), undefined))
  t.end()
})

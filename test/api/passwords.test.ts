/** Password checks: each is slow, so the queue is short. */

import t from 'tap'
import { OverloadError } from '../../server/actors/overload-error.ts'
import { Passwords } from '../../server/changes/passwords.ts'

await t.test(
  '[PASS1] checks beyond the bound are refused at once, and accepted when there is room',
  async (t) => {
    const passwords = new Passwords({ N: 2 })
    const cheap = `scrypt$2$8$1$${Buffer.from('salt').toString('base64')}$${Buffer.alloc(32).toString('base64')}`
    const outcomes = await Promise.allSettled(
      Array.from({ length: 300 }, () => passwords.verify('a guess', cheap)),
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    t.ok(refused.length > 0 && refused.length < 300)
    t.ok(refused.every(({ reason }) => reason instanceof OverloadError))
    t.equal(await passwords.verify('a guess', cheap), false)
  },
)

await t.test('[PASS2] a password is the same in every Unicode normal form', async (t) => {
  const passwords = new Passwords({ N: 2 ** 10 })
  const password = 'Gödel \u00e9t\u00e9 \ufb01n \uff11'
  const stored = await passwords.hash(password)
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
    t.equal(await passwords.verify(password.normalize(form), stored), true, form)
  t.equal(await passwords.verify(password.toUpperCase(), stored), false)
})

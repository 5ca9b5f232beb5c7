/** Password checks: each is slow, so the queue is short. */

import t from 'tap'
import { OverloadError } from '../../../server/actors/overload-error.ts'
import { HashTurns } from '../../../server/changes/hash-turns.ts'
import { Passwords } from '../../../server/changes/passwords.ts'

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

await t.test('[PASS40] hashes beyond the bound are refused as checks are', async (t) => {
  const passwords = new Passwords({ N: 2 })
  const outcomes = await Promise.allSettled(Array.from({ length: 300 }, () => passwords.hash('a password')))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  t.ok(refused.length > 0 && refused.length < 300)
  t.ok(refused.every(({ reason }) => reason instanceof OverloadError))
})

await t.test('[PASS41] people who are known here go before strangers, however many wait', async (t) => {
  const turns = new HashTurns()
  const order: string[] = []
  const gates = Array.from({ length: 2 }, () => Promise.withResolvers<void>())
  const running = gates.map(({ promise }) => turns.run('stranger', () => promise))
  const note = (name: string) => () => Promise.resolve(void order.push(name))
  const strangers = Array.from({ length: 100 }, (_, index) =>
    turns.run('stranger', note(`stranger ${index}`)),
  )
  await t.rejects(turns.run('stranger', note('late')), OverloadError)
  const known = ['a', 'b'].map((name) => turns.run('known', note(name)))
  gates[0]?.resolve()
  await Promise.all(known)
  t.same(order.slice(0, 2), ['a', 'b'])
  gates[1]?.resolve()
  await Promise.all([...running, ...strangers])
  t.same(
    order.slice(2),
    strangers.map((_, index) => `stranger ${index}`),
  )
  await t.rejects(
    turns.run('known', () => Promise.reject(new Error('failed'))),
    /failed/,
  )
  for (let time = 0; time < 3; time++) await turns.run('stranger', note('later'))
  t.equal(order.length, 105, 'a failure gives its turn back')
})

await t.test('[PASS2] a password is the same in every Unicode normal form', async (t) => {
  const passwords = new Passwords({ N: 2 ** 10 })
  const password = 'Gödel \u00e9t\u00e9 \ufb01n \uff11'
  const stored = await passwords.hash(password)
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
    t.equal(await passwords.verify(password.normalize(form), stored), true, form)
  t.equal(await passwords.verify(password.toUpperCase(), stored), false)
})

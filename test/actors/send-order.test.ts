import t from 'tap'
import { SendOrder } from '../../server/actors/send-order.ts'
import type { UserId } from '../../server/domain/ids.ts'

const SENDER = 1 as UserId
const OTHER = 2 as UserId

t.test(
  '[ORDER1] messages of one sender are committed in the order of arrival, whenever each is rendered',
  async (t) => {
    const order = new SendOrder()
    const entered: string[] = []
    const enter = async (rendered: string) => entered.push(rendered)
    const slow = Promise.withResolvers<string>()
    const slower = Promise.withResolvers<string>()
    const sent = [
      order.send(SENDER, slow.promise, enter),
      order.send(SENDER, 'in place', enter),
      order.send(SENDER, slower.promise, enter),
      order.send(SENDER, 'in place, too', enter),
    ]
    await order.send(OTHER, 'of another sender', enter)
    slower.resolve('slower')
    slow.resolve('slow')
    await Promise.all(sent)
    t.same(entered, ['of another sender', 'slow', 'in place', 'slower', 'in place, too'])
  },
)

t.test('[ORDER2] a send that fails to render keeps the order of those that wait', async (t) => {
  const order = new SendOrder()
  const entered: string[] = []
  const enter = async (rendered: string) => entered.push(rendered)
  const slow = Promise.withResolvers<string>()
  const first = order.send(SENDER, slow.promise, enter)
  await t.rejects(order.send(SENDER, Promise.reject(new Error('too slow')), enter), { message: 'too slow' })
  const third = order.send(SENDER, 'third', enter)
  slow.resolve('first')
  await Promise.all([first, third])
  t.same(entered, ['first', 'third'])
})

t.test('[ORDER3] a send that is refused on entry ends its turn', async (t) => {
  const order = new SendOrder()
  const entered: string[] = []
  const refused = order.send(SENDER, Promise.resolve('refused'), () => {
    throw new Error('refused')
  })
  const next = order.send(SENDER, 'next', async (rendered) => entered.push(rendered))
  await t.rejects(refused, { message: 'refused' })
  await next
  t.same(entered, ['next'])
})
